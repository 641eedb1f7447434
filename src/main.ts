import { ENVIRONMENT, parse, UsageError, usageOf, type Command, type Output } from './commands/command.ts';
import { VERSION } from './platform/version.ts';

/** Commands by their first word. Each is loaded when it is needed, with the parts of the program that it uses. */
const loaders: Readonly<Record<string, () => Promise<Readonly<Record<string, Command>>>>> = {
  serve: () => import('./commands/serve.ts'),
  worker: () => import('./commands/worker.ts'),
  migrate: () => import('./commands/migrate.ts'),
  org: () => import('./commands/org.ts'),
  user: () => import('./commands/user.ts'),
  token: () => import('./commands/token.ts'),
  hostname: () => import('./commands/hostname.ts'),
  import: () => import('./commands/import.ts'),
  export: () => import('./commands/export.ts'),
  'check-links': () => import('./commands/check-links.ts'),
};

// Not `exitCode`: an abandoned job may keep a connection open, which would delay the exit.
process.exit(await main(process.argv.slice(2)));

/** Exit codes: 0 success, 1 failure with a message on standard error, 2 invalid arguments. */
async function main(words: readonly string[]): Promise<number> {
  if (words[0] === '--version') return print(VERSION);
  const [group = ''] = words;
  const isGroup = Object.hasOwn(loaders, group);
  const commands = await load(isGroup ? [group] : Object.keys(loaders));
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (!command) return overview(words, commands);
  try {
    const parsed = parse(command, words.slice(command.name.split(' ').length));
    if (parsed.help) return print(usageOf(command));
    await command.run(parsed.given, outputOf(parsed.json));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return printToStderr(`${error.message}\n\n${usageOf(command)}`, 2);
    if (error instanceof Error && (await isUserError(error))) return printToStderr(error.message, 1);
    throw error;
  }
}

/** Loaded only now. If that fails, too, the first error is the one to report. */
function isUserError(thrown: unknown): Promise<boolean> {
  return import('./commands/user-error.ts').then(
    (module) => module.isUserError(thrown),
    () => false,
  );
}

async function load(groups: readonly string[]): Promise<Command[]> {
  const modules = await Promise.all(groups.map((group) => loaders[group]?.()));
  return modules.flatMap((module) => Object.values(module ?? {}));
}

function overview(words: readonly string[], commands: readonly Command[]): number {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)} ${summary}`);
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
