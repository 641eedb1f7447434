import { VERSION } from '../platform/version.ts';
import { ENVIRONMENT, parse, UsageError, usageOf, type Command, type Output } from './command.ts';

/** `process`, or what a test reads. */
export type Streams = Readonly<Record<'stdout' | 'stderr', { write(text: string): unknown }>>;

/** Commands by their first word. Each is loaded when it is needed, with the parts of the program that it uses. */
const loaders: Readonly<Record<string, () => Promise<Readonly<Record<string, Command>>>>> = {
  serve: () => import('./server/serve.ts'),
  worker: () => import('./server/worker.ts'),
  heavy: () => import('./server/heavy.ts'),
  migrate: () => import('./migrate.ts'),
  org: () => import('./org.ts'),
  user: () => import('./user.ts'),
  token: () => import('./token.ts'),
  space: () => import('./space.ts'),
  jobs: () => import('./jobs.ts'),
  hostname: () => import('./hostname.ts'),
  import: () => import('./content/import.ts'),
  export: () => import('./content/export.ts'),
  'check-links': () => import('./content/check-links.ts'),
};

/** Returns the exit code: 0 success, 1 failure with a message on standard error, 2 invalid arguments. */
export async function runCommand(words: readonly string[], streams: Streams): Promise<number> {
  if (words[0] === '--version') return print(streams.stdout, VERSION);
  const [group = ''] = words;
  const isGroup = Object.hasOwn(loaders, group);
  const commands = await load(isGroup ? [group] : Object.keys(loaders));
  const named = commands.filter(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  // The longer name: `jobs retry`, not `jobs` with an argument.
  const command = named.toSorted((one, other) => one.name.length - other.name.length).at(-1);
  if (!command) return overview(words, commands, streams);
  try {
    const parsed = parse(command, words.slice(command.name.split(' ').length));
    if (parsed.help) return print(streams.stdout, usageOf(command));
    await command.run(parsed.given, outputOf(parsed.json, streams));
    return 0;
  } catch (error) {
    if (error instanceof UsageError)
      return print(streams.stderr, `${error.message}\n\n${usageOf(command)}`, 2);
    if (error instanceof Error && (await isUserError(error))) return print(streams.stderr, error.message, 1);
    throw error;
  }
}

/** Loaded only now. If that fails, too, the first error is the one to report. */
function isUserError(thrown: unknown): Promise<boolean> {
  return import('./user-error.ts').then(
    (module) => module.isUserError(thrown),
    () => false,
  );
}

async function load(groups: readonly string[]): Promise<Command[]> {
  const modules = await Promise.all(groups.map((group) => loaders[group]?.()));
  return modules.flatMap((module) => Object.values(module ?? {}));
}

function overview(words: readonly string[], all: readonly Command[], streams: Streams): number {
  const commands = all.filter(({ isInternal }) => !isInternal);
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)} ${summary}`);
  const text = `Usage: octavo <command> [options]\n\nCommands:\n${rows.join('\n')}\n\nEvery command accepts --help and --json.\n${ENVIRONMENT}`;
  const asked = words.length === 0 || words.some((word) => ['--help', '-h', 'help'].includes(word));
  return asked
    ? print(streams.stdout, text)
    : print(streams.stderr, `Unknown command "${words.join(' ')}".\n\n${text}`, 2);
}

function outputOf(json: boolean, { stdout, stderr }: Streams): Output {
  return {
    json,
    result: (value, text) => void print(stdout, json ? JSON.stringify(value) : text),
    note: (text) => void print(stderr, text),
  };
}

function print(stream: Streams['stdout'], text: string, code = 0): number {
  stream.write(`${text}\n`);
  return code;
}
