import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Invalid arguments: exit code 2, with the usage of the command. */
export class UsageError extends Error {}

/** The command cannot be performed, for example because a named object does not exist: exit code 1. */
export class CommandError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** A subcommand, such as `octavo org create`. A value, like an operation. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Whether it is left out of the list of commands, because only programs call it. */
  readonly isInternal?: boolean;
  /** Descriptions of its options, by name. */
  readonly options: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** Descriptions of its options without a value, by name. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Names of its positional arguments, in order. */
  readonly arguments?: readonly string[];
  /** Names of those after them that may be absent. */
  readonly optionalArguments?: readonly string[];
  /** `given`: values by name. A flag that is set has its own name as its value. */
  run(given: Readonly<Record<string, string | undefined>>, output: Output): Promise<void>;
}

export interface Output {
  readonly json: boolean;
  /** Prints the result to standard output: as JSON with `--json`, otherwise `text`. */
  result(value: unknown, text: string): void;
  /** Prints a message to standard error. */
  note(text: string): void;
}

export const ENVIRONMENT =
  'Configuration: environment variables (PORT, OCTAVO_DATA, DATABASE_URL, ...); see docs/configuration.md.';

export function usageOf(command: Command): string {
  const words = [
    command.name,
    ...(command.arguments ?? []).map((name) => `<${name}>`),
    ...(command.optionalArguments ?? []).map((name) => `[<${name}>]`),
    ...(command.required ?? []).map((name) => `--${name} <value>`),
  ].join(' ');
  const rows = [
    ...Object.entries(command.options),
    ...Object.entries(command.flags ?? {}),
    ['json', 'print the result as JSON'],
    ['help', 'print this help'],
  ].map(
    ([name = '', meaning = '']) =>
      `  --${name.padEnd(10)} ${meaning}${command.required?.includes(name) ? ' (required)' : ''}`,
  );
  return [
    `Usage: octavo ${words} [options]\n\n${command.summary}\n\nOptions:\n${rows.join('\n')}\n`,
    `Exit codes: 0 success, 1 failure, 2 invalid arguments.\n${ENVIRONMENT}\n`,
  ].join('\n');
}

export function parse(command: Command, words: readonly string[]) {
  const options: Options = { json: { type: 'boolean' }, help: { type: 'boolean' } };
  for (const name of Object.keys(command.options)) options[name] = { type: 'string' };
  for (const name of Object.keys(command.flags ?? {})) options[name] = { type: 'boolean' };
  const { values, positionals } = parsed(words, options);
  if (values['help']) return { help: true as const };
  const given: Record<string, string | undefined> = {};
  for (const name of Object.keys(command.options)) given[name] = values[name] as string | undefined;
  for (const name of Object.keys(command.flags ?? {})) given[name] = values[name] ? name : undefined;
  for (const name of [...(command.arguments ?? []), ...(command.optionalArguments ?? [])])
    given[name] = positionals.shift();
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
  const needed = [...(command.required ?? []), ...(command.arguments ?? [])];
  const missing = needed.filter((name) => !given[name]);
  if (missing.length > 0) throw new UsageError(`Missing arguments: ${missing.join(', ')}.`);
  return { help: false as const, given, json: values['json'] === true };
}

function parsed(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
