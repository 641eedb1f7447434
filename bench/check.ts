import type { Api } from './api.ts';
import type { Cleanup } from './cleanup.ts';
import type { Options } from './options.ts';
import type { Server } from './server.ts';

/** A figure other than a rate of requests. Checks are values, like rows, and are measured after them. */
export interface Check {
  readonly name: string;
  readonly aim: Aim;
  /** Undefined: not available on this system. */
  measure(bench: Bench): Promise<number | undefined>;
}

export interface Aim {
  readonly bound: 'at least' | 'at most';
  readonly value: number;
  readonly unit: 's' | 'ms' | 'MB' | 'kB' | 'x' | '%' | '/s' | 'pages/s' | 'MB/s' | 'wrong';
}

/** The context of checks: the server with the cache. */
export interface Bench {
  readonly server: Server;
  readonly api: Api;
  readonly cleanup: Cleanup;
  readonly options: Options;
}

export interface Checked {
  readonly name: string;
  readonly value: number | undefined;
  readonly aim: Aim;
}

export const atMost = (value: number, unit: Aim['unit']): Aim => ({ bound: 'at most', value, unit });
export const atLeast = (value: number, unit: Aim['unit']): Aim => ({ bound: 'at least', value, unit });
