import autocannon from 'autocannon';
import { bodyOf, headersOf, isExpected, type Place } from './api.ts';
import { processorTime } from './child.ts';
import type { Ask, Asking } from './row.ts';

/** One round: as many requests as fit, over keep-alive connections. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server's Node process per request, in microseconds: what other load blurs least. */
  readonly cpu: number;
  /** Answers that were not expected by status, and connections that broke or timed out. */
  readonly failures: Readonly<Record<string, number>>;
}

interface LoadOptions {
  readonly place: Place & { readonly pid: number };
  readonly asking: Asking;
  readonly connections: number;
  /** The status of every answer; any 2xx if undefined. */
  readonly expected: number | undefined;
  readonly seconds: number;
  /** Counts the requests of the whole run. */
  readonly next: () => number;
}

/**
 * This process is the load generator: it does nothing else during a round, and it is the same one for both servers,
 * which have a process each.
 */
export async function load({
  place,
  asking,
  connections,
  expected,
  seconds,
  next,
}: LoadOptions): Promise<Round> {
  const shape = (ask: Ask): autocannon.Request => ({
    method: ask.method ?? 'GET',
    path: ask.path,
    headers: headersOf(place, ask),
    body: bodyOf(ask),
  });
  // Built anew for every call only where it differs: building costs this process, which the bare server waits for.
  const request: autocannon.Request =
    typeof asking === 'function'
      ? { setupRequest: (given) => ({ ...given, ...shape(asking(next())) }) }
      : shape(asking);
  // Taken here because its own histogram counts whole milliseconds.
  const times: number[] = [];
  const before = processorTime(place.pid) ?? Number.NaN;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url: place.url,
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
  const used = (processorTime(place.pid) ?? Number.NaN) - before;
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
