import { addToList } from '../../../content-engine/add-to-list.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Method, Verdict } from './check-url.ts';

const CONCURRENT_HOSTS = 8;
/** Between two requests to one host. */
const PAUSE_MS = 500;
/** The longest wait that a host may ask for. */
const MAX_RETRY_MS = 30_000;
/** After so many successive requests that a host refuses or does not answer, it is left alone. */
const MAX_OVERLOADED = 3;

export interface Checking<T> {
  request(method: Method, url: URL, signal: AbortSignal): Promise<Verdict>;
  onResult(target: T, verdict: Verdict): Promise<void>;
  readonly signal: AbortSignal;
  readonly pauseMs?: number | undefined;
}

interface Target {
  readonly target: URL;
}

/**
 * Checks URLs politely: several hosts at the same time, and the URLs of one host one after another, with pauses. After an
 * error, the other hosts are aborted and waited for.
 */
export async function checkHosts<T extends Target>(
  targets: readonly T[],
  checking: Checking<T>,
): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([checking.signal, failed.signal]);
  const hosts = groupByHost(targets);
  const work = async () => {
    for (let host = hosts.shift(); host; host = hosts.shift()) await checkHost(host, { ...checking, signal });
  };
  const workers = Array.from({ length: CONCURRENT_HOSTS }, () =>
    work().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
}

function groupByHost<T extends Target>(targets: readonly T[]): T[][] {
  const hosts = new Map<string, T[]>();
  for (const each of targets) {
    const { host } = each.target;
    addToList(hosts, host, each);
  }
  return [...hosts.values()];
}

async function checkHost<T extends Target>(targets: readonly T[], checking: Checking<T>): Promise<void> {
  const request = paced(checking);
  let overloaded = 0;
  let problem: string | undefined;
  for (const each of targets) {
    if (overloaded === MAX_OVERLOADED) {
      await checking.onResult(each, { isBroken: false, problem: `Not checked: ${problem}` });
      continue;
    }
    const head = await request('HEAD', each.target);
    const verdict = head.dependsOnMethod ? await request('GET', each.target) : head;
    overloaded = verdict.isOverloaded ? overloaded + 1 : 0;
    problem = verdict.problem;
    await checking.onResult(each, verdict);
  }
}

/** Waits before each request, also for as long as the host has asked to. */
function paced<T>({ request, signal, pauseMs = PAUSE_MS }: Checking<T>) {
  let start = 0;
  return async (method: Method, url: URL): Promise<Verdict> => {
    const wait = start - performance.now();
    if (wait > 0) await delay(wait, undefined, { signal });
    signal.throwIfAborted();
    const verdict = await request(method, url, signal);
    const pause = Math.max(pauseMs, Math.min(verdict.retryMs ?? 0, MAX_RETRY_MS));
    start = performance.now() + pause;
    return verdict;
  };
}
