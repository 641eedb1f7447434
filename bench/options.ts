import { parseArgs } from 'node:util';

export interface Options {
  /** Part of the names of what is measured; everything if empty. */
  readonly only: string;
  readonly seconds: number;
  readonly rounds: number;
  /** How long a round may wait for a quiet machine. */
  readonly wait: number;
  readonly profile: boolean;
}

export class UsageError extends Error {}

export const USAGE = `npm run bench -- [options]

Measures the built server beside a bare node:http server that answers as many bytes, in turns, over keep-alive
connections, and says which figures were reached. The table goes to standard output, all numbers to bench/results/.

  --only TEXT    only what has TEXT in its name ("get organization", "cold start", "attack")
  --seconds N    length of a round (3)
  --rounds N     rounds of each server; medians are reported (3)
  --wait N       before a round, wait up to N seconds for other programs to leave the machine idle (0)
  --profile      also write a processor profile of each server to bench/results/ (it slows them down a little)
  --help         this text

Data lies below TMPDIR while it runs; that should be a disk. Other work on the machine blurs everything but ratios.
Exit code: 0 if all was measured, whatever the figures; 1 if an answer was not the expected one or something failed; 2 if an
option was wrong.
`;

/** Undefined: only help was asked for. */
export function parseOptions(words: readonly string[]): Options | undefined {
  const { values } = parsed(words);
  if (values.help) return undefined;
  return {
    only: (values.only ?? '').toLowerCase(),
    seconds: positive('--seconds', values.seconds, 3),
    rounds: positive('--rounds', values.rounds, 3),
    wait: positive('--wait', values.wait, 0),
    profile: values.profile ?? false,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        seconds: { type: 'string' },
        rounds: { type: 'string' },
        wait: { type: 'string' },
        profile: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function positive(name: string, given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  if (!/^[1-9]\d{0,3}$/.test(given))
    throw new UsageError(`${name} must be a whole number from 1 to 9999, not "${given}"`);
  return Number(given);
}

export const isWanted = ({ only }: Options, name: string): boolean => name.toLowerCase().includes(only);
