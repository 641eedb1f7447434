import { runCommand } from './commands/run-command.ts';

// Not `exitCode`: an abandoned job may keep a connection open, which would delay the exit.
process.exit(await runCommand(process.argv.slice(2), process));
