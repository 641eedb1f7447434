import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * CPU time of a task, read by another thread while the task runs. Only Linux tells it: elsewhere the wall clock counts.
 * The memory is shared: the id of the thread in the operating system, and its CPU time when the task started.
 */
export type ThreadClock = Int32Array<SharedArrayBuffer>;

const NOT_STARTED = 0;
const UNKNOWN = -1;

export const createClock = (): ThreadClock =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

/** Called by the thread when its task starts. */
export function startClock(clock: ThreadClock): void {
  const thread = ownId();
  Atomics.store(clock, 1, Math.floor(cpuTimeOf(thread) ?? 0));
  Atomics.store(clock, 0, thread);
}

/** Milliseconds of CPU time since the start of the task. Undefined: the system does not tell. */
export function readClock(clock: ThreadClock): number | undefined {
  const thread = Atomics.load(clock, 0);
  if (thread === NOT_STARTED) return 0;
  const time = cpuTimeOf(thread);
  return time === undefined ? undefined : time - Atomics.load(clock, 1);
}

function ownId(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return UNKNOWN;
  }
}

/** The CPU time of a thread in milliseconds. The first number of `schedstat` is the time on a CPU, in nanoseconds. */
function cpuTimeOf(thread: number): number | undefined {
  if (thread === UNKNOWN) return undefined;
  try {
    return Number.parseInt(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8'), 10) / 1e6;
  } catch {
    return undefined;
  }
}
