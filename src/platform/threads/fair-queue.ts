import { ThreadError } from './thread-error.ts';

export interface FairQueue {
  /** Whether another owner waits: interruptible work should then release its slot. */
  isContended(owner: string): boolean;
  /** A slot that is free now; undefined: the owner must wait. */
  acquireNow(owner: string): (() => void) | undefined;
  /**
   * Waits for a slot; call the result to release it, once or more often. Throws `ThreadError` if too many tasks wait, or the
   * reason of the signal. Work that is resumed precedes other tasks of its owner, and is never refused, so that few are
   * unfinished at a time.
   */
  acquire(owner: string, signal: AbortSignal, options?: { isResumed?: boolean }): Promise<() => void>;
}

/** Limits of one owner, whatever is free: its tasks never take all slots, or all places to wait. */
export interface OwnerLimits {
  /** A function: asked whenever a task may start. */
  readonly running?: number | (() => number);
  readonly waiting?: number;
}

/** A semaphore with `slots` slots, round-robin by owner; the tasks of one owner keep their order. */
export function createFairQueue(
  slots: number,
  maxWaiting: number,
  { running: maxRunning = slots, waiting: maxOwnWaiting = maxWaiting }: OwnerLimits = {},
): FairQueue {
  const mayRun = (owner: string): boolean =>
    free > 0 && runningOf(owner) < (typeof maxRunning === 'number' ? maxRunning : maxRunning());
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let waitingCount = 0;
  let free = slots;

  const runningOf = (owner: string): number => running.get(owner) ?? 0;

  function start(owner: string): void {
    free -= 1;
    running.set(owner, runningOf(owner) + 1);
  }

  /** Ends a task of the owner, the first time it is called. */
  function releaseOf(owner: string): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      free += 1;
      if (runningOf(owner) === 1) running.delete(owner);
      else running.set(owner, runningOf(owner) - 1);
      while (startNext());
    };
  }

  function acquireNow(owner: string): (() => void) | undefined {
    if (!mayRun(owner)) return undefined;
    start(owner);
    return releaseOf(owner);
  }

  /** Whether there was a task that may run. */
  function startNext(): boolean {
    for (const [owner, tasks] of waiting) {
      if (!mayRun(owner)) continue;
      const begin = tasks.shift();
      waitingCount -= 1;
      // To the end of the queue, behind owners that were not served yet.
      waiting.delete(owner);
      if (tasks.length > 0) waiting.set(owner, tasks);
      start(owner);
      begin?.();
      return true;
    }
    return false;
  }

  function giveUp(owner: string, begin: () => void): void {
    const tasks = waiting.get(owner);
    const at = tasks?.indexOf(begin) ?? -1;
    if (!tasks || at < 0) return;
    tasks.splice(at, 1);
    waitingCount -= 1;
    if (tasks.length === 0) waiting.delete(owner);
  }

  async function wait(owner: string, signal: AbortSignal, isResumed: boolean): Promise<void> {
    const own = waiting.get(owner) ?? [];
    if (!isResumed && (waitingCount >= maxWaiting || own.length >= maxOwnWaiting))
      throw new ThreadError('busy', `${waitingCount} tasks are waiting already, ${own.length} of ${owner}`);
    let onAbort = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        onAbort = () => {
          giveUp(owner, resolve);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort);
        if (isResumed) own.unshift(resolve);
        else own.push(resolve);
        waiting.set(owner, own);
        waitingCount += 1;
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    isContended: (owner) => [...waiting.keys()].some((other) => other !== owner),
    acquireNow,

    async acquire(owner, signal, { isResumed = false } = {}) {
      signal.throwIfAborted();
      const release = acquireNow(owner);
      if (release) return release;
      await wait(owner, signal, isResumed);
      return releaseOf(owner);
    },
  };
}
