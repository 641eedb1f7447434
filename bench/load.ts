import autocannon from 'autocannon';
import { bodyOf, headersOf, isExpected, type Endpoint } from './api.ts';
import { processorTime } from './child.ts';
import type { RequestSpec, RequestSource } from './row.ts';

/** One round: as many requests as possible, over keep-alive connections. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server's Node process per request, in microseconds: the figure least affected by other load. */
  readonly cpu: number;
  /** Responses with an unexpected status, and connections that failed or timed out. */
  readonly failures: Readonly<Record<string, number>>;
}

interface LoadOptions {
  readonly endpoint: Endpoint & { readonly pid: number };
  readonly source: RequestSource;
  readonly connections: number;
  /** The expected status; any 2xx if undefined. */
  readonly expected: number | undefined;
  readonly seconds: number;
  /** A counter of requests of the whole run. */
  readonly next: () => number;
}

/**
 * This process is the load generator: it does nothing else during a round, and generates the load of both servers,
 * each of which has its own process.
 */
export async function load({
  endpoint,
  source,
  connections,
  expected,
  seconds,
  next,
}: LoadOptions): Promise<Round> {
  const toRequest = (spec: RequestSpec): autocannon.Request => ({
    method: spec.method ?? 'GET',
    path: spec.path,
    headers: headersOf(endpoint, spec),
    body: bodyOf(spec),
  });
  // Built per call only where requests differ: building takes time of this process, which slows the bare server most.
  const request: autocannon.Request =
    typeof source === 'function'
      ? { setupRequest: (given) => ({ ...given, ...toRequest(source(next())) }) }
      : toRequest(source);
  // Recorded here because the histogram of autocannon has a resolution of milliseconds.
  const times: number[] = [];
  const before = processorTime(endpoint.pid) ?? Number.NaN;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url: endpoint.url,
      connections,
      duration: seconds,
      bailout: 100,
      timeout: 30,
      requests: [request],
    };
    autocannon(options, (error: unknown, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, _status, _bytes, milliseconds) => times.push(milliseconds),
    );
  });
  const used = (processorTime(endpoint.pid) ?? Number.NaN) - before;
  const sorted = Float64Array.from(times).toSorted();
  return {
    perSecond: times.length / result.duration,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpu: (used * 1e6) / times.length,
    failures: failuresOf(result, expected),
  };
}

function failuresOf(result: autocannon.Result, expected: number | undefined): Record<string, number> {
  const statuses = Object.entries(result.statusCodeStats ?? {})
    .filter(([status]) => !isExpected(Number(status), expected))
    .map(([status, { count = 0 }]) => [status, count] as const);
  const broken = result.errors > 0 ? [['broken connections', result.errors] as const] : [];
  return Object.fromEntries([...statuses, ...broken]);
}

export const quantile = (sorted: ArrayLike<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
