import type { Api } from './api.ts';

/** One operation to measure. Rows are values: a new area is a new file in `rows/`, listed in `rows/index.ts`. */
export interface Row {
  readonly name: string;
  /** Makes what the row is about, in an organization of its own (or `shared`), and says what to ask for. */
  setup(api: Api): Promise<Asking>;
  /** 32 unless said otherwise. */
  readonly connections?: number;
  /** Which server: the one that keeps rows in its process (the default), or the one started with OCTAVO_CACHE=off. */
  readonly cache?: CacheMode;
  /** What is to be answered; any 2xx unless said otherwise. */
  readonly status?: number;
  readonly target?: Target;
}

export type CacheMode = 'on' | 'off';

/** The figures to reach. They are reported, never asserted: a slow machine is no bug. */
export interface Target {
  /** Requests a second, as a part of what the bare server does. */
  readonly ratio?: number;
  readonly perSecond?: number;
  /** At most so many times the median time of another row of the same run. */
  readonly timesThatOf?: readonly [name: string, times: number];
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The same request every time, or the n-th one: no two calls of a run get the same `n`. */
export type Asking = Ask | ((n: number) => Ask);

export const CONNECTIONS = 32;

export const labelOf = ({ name, cache }: Row): string => (cache ? `${name}, cache ${cache}` : name);

/** One object read by its id: a row with the cache, and one with a database round trip for every request. */
export const readOne = (name: string, setup: Row['setup']): Row[] => [
  { name, setup, cache: 'on', target: { ratio: 0.3 } },
  { name, setup, cache: 'off', target: { ratio: 0.15 } },
];

/** Makes something once for each server, for all rows and checks that ask for it. */
export function shared<T>(make: (api: Api) => Promise<T>): (api: Api) => Promise<T> {
  const made = new WeakMap<Api, Promise<T>>();
  return (api) => {
    const there = made.get(api) ?? make(api);
    made.set(api, there);
    return there;
  };
}
