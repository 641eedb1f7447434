import { checkLinksCommand } from './commands/check-links.ts';
import {
  CommandError,
  ENVIRONMENT,
  parse,
  UsageError,
  usageOf,
  type Command,
  type Output,
} from './commands/command.ts';
import { exportCommand } from './commands/export.ts';
import { activateHostname, listHostnames, removeHostname } from './commands/hostname.ts';
import { importCommand } from './commands/import.ts';
import { migrate } from './commands/migrate.ts';
import { createOrg, listOrgs } from './commands/org.ts';
import { serve } from './commands/serve.ts';
import { createToken, listTokens, removeToken } from './commands/token.ts';
import { createUser, listUsers, proveUser } from './commands/user.ts';
import { worker } from './commands/worker.ts';
import { ConfigError } from './config.ts';
import { ImportError } from './domains/imports/index.ts';
import { MigrationError } from './platform/database/migrate.ts';
import { sqlstateError } from './platform/database/sqlstate-error.ts';
import { ApiError } from './platform/api/errors.ts';
import { FilesError } from './platform/files/index.ts';
import { StartError } from './platform/embedded-postgres/index.ts';
import { ZipError } from './platform/zip/index.ts';
import { VERSION } from './platform/version.ts';

const commands: readonly Command[] = [
  serve,
  worker,
  migrate,
  createOrg,
  listOrgs,
  createUser,
  listUsers,
  proveUser,
  createToken,
  listTokens,
  removeToken,
  activateHostname,
  listHostnames,
  removeHostname,
  importCommand,
  exportCommand,
  checkLinksCommand,
];

// Not `exitCode`: an abandoned job may keep a connection open, which would delay the exit.
process.exit(await main(process.argv.slice(2)));

/** Exit codes: 0 success, 1 failure with a message on standard error, 2 invalid arguments. */
async function main(words: readonly string[]): Promise<number> {
  if (words[0] === '--version') return print(VERSION);
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (!command) return overview(words);
  try {
    const parsed = parse(command, words.slice(command.name.split(' ').length));
    if (parsed.help) return print(usageOf(command));
    await command.run(parsed.given, outputOf(parsed.json));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return printToStderr(`${error.message}\n\n${usageOf(command)}`, 2);
    if (isUserError(error)) return printToStderr(error.message, 1);
    throw error;
  }
}

function isUserError(error: unknown): error is Error {
  const kinds = [
    CommandError,
    StartError,
    ConfigError,
    MigrationError,
    FilesError,
    ApiError,
    ImportError,
    ZipError,
  ];
  return kinds.some((kind) => error instanceof kind) || sqlstateError(error) !== undefined;
}

function overview(words: readonly string[]): number {
  const isGroup = words[0] !== undefined && commands.some(({ name }) => name.startsWith(`${words[0]} `));
  const shown = isGroup ? commands.filter(({ name }) => name.startsWith(`${words[0]} `)) : commands;
  const rows = shown.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`);
  const text = `Usage: octavo <command> [options]\n\nCommands:\n${rows.join('\n')}\n\nEvery command accepts --help and --json.\n${ENVIRONMENT}`;
  const asked = words.length === 0 || words.some((word) => ['--help', '-h', 'help'].includes(word));
  return asked ? print(text) : printToStderr(`Unknown command "${words.join(' ')}".\n\n${text}`, 2);
}

function outputOf(json: boolean): Output {
  return {
    json,
    result: (value, text) => void print(json ? JSON.stringify(value) : text),
    note: (text) => void printToStderr(text, 0),
  };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function printToStderr(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
