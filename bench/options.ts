import { parseArgs } from 'node:util';

export interface Options {
  /** A part of the names of rows and checks to measure; all if empty. */
  readonly only: string;
  readonly seconds: number;
  readonly rounds: number;
  /** How long to wait for an idle machine before a round. */
  readonly wait: number;
  readonly profile: boolean;
}

export class UsageError extends Error {}

export const USAGE = `Usage: npm run bench -- [options]

Compares the built server with a bare node:http server that returns the same number of bytes, in alternating rounds over
keep-alive connections, and reports which targets were met. Prints a table; all numbers are written to bench/results/.

Options:
  --only TEXT    only measurements whose name contains TEXT ("get organization", "cold start", "attack")
  --seconds N    duration of a round (default: 3)
  --rounds N     rounds per server; medians are reported (default: 3)
  --wait N       before a round, wait up to N seconds until the machine is idle (default: 0)
  --profile      also write a CPU profile of each server to bench/results/ (slows the servers down slightly)
  --help         print this help

Data is stored below TMPDIR, which should be a disk. Other load on the machine distorts all figures except ratios.
Exit codes: 0 everything was measured, whether or not targets were met; 1 an unexpected response or a failure; 2 invalid
arguments.
`;

/** Undefined if help was requested. */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  return {
    only: (values.only ?? '').toLowerCase(),
    seconds: positive('--seconds', values.seconds, 3),
    rounds: positive('--rounds', values.rounds, 3),
    wait: positive('--wait', values.wait, 0),
    profile: values.profile ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
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

export const isSelected = ({ only }: Options, name: string): boolean => name.toLowerCase().includes(only);
