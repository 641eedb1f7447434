import type { Api } from './api.ts';

/** One operation to measure. Rows are values: a new area is a new file in `rows/`, listed in `rows/index.ts`. */
export interface Row {
  readonly name: string;
  /** Creates the data of the row, in a new organization (or `shared`), and returns the request to measure. */
  setup(api: Api): Promise<RequestSource>;
  /** 32 by default. */
  readonly connections?: number;
  /** Which server: with the process cache (the default), or started with OCTAVO_CACHE=off. */
  readonly cache?: CacheMode;
  /** The expected status; any 2xx by default. */
  readonly status?: number;
  readonly target?: Target;
}

export type CacheMode = 'on' | 'off';

/** The figures to reach. They are reported, never asserted: a slow machine is no bug. */
export interface Target {
  /** Requests per second, relative to the bare server. */
  readonly ratio?: number;
  readonly perSecond?: number;
  /** At most so many times the median time of another row of the same run. */
  readonly relativeTo?: readonly [name: string, times: number];
}

export interface RequestSpec {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The same request every time, or the n-th one: each call of a run gets a different `n`. */
export type RequestSource = RequestSpec | ((n: number) => RequestSpec);

export const CONNECTIONS = 32;

export const labelOf = ({ name, cache }: Row): string => (cache ? `${name}, cache ${cache}` : name);

/** One object read by its id: a row with the cache, and one with a database round trip for every request. */
export const readOne = (name: string, setup: Row['setup']): Row[] => [
  { name, setup, cache: 'on', target: { ratio: 0.3 } },
  { name, setup, cache: 'off', target: { ratio: 0.15 } },
];

/** Creates something once per server, for all rows and checks that use it. */
export function shared<T>(make: (api: Api) => Promise<T>): (api: Api) => Promise<T> {
  const cache = new WeakMap<Api, Promise<T>>();
  return (api) => {
    const value = cache.get(api) ?? make(api);
    cache.set(api, value);
    return value;
  };
}
