import { ThreadError } from './thread-error.ts';

export interface FairQueue {
  /** Whether `acquire` would not wait. */
  hasFree(): boolean;
  /** Waits for a slot; call the result to release it. Throws if too many tasks wait, or the reason of the signal. */
  acquire(owner: string, signal: AbortSignal): Promise<() => void>;
}

/** A semaphore with `slots` slots, round-robin by owner; the tasks of one owner keep their order. */
export function createFairQueue(slots: number, maxWaiting: number): FairQueue {
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  let free = slots;

  function release(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [owner, tasks] = next;
    const start = tasks.shift();
    waitingCount -= 1;
    // To the end of the queue, behind owners that were not served yet.
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    start?.();
  }

  function giveUp(owner: string, start: () => void): void {
    const tasks = waiting.get(owner);
    const at = tasks?.indexOf(start) ?? -1;
    if (!tasks || at < 0) return;
    tasks.splice(at, 1);
    waitingCount -= 1;
    if (tasks.length === 0) waiting.delete(owner);
  }

  async function wait(owner: string, signal: AbortSignal): Promise<void> {
    if (waitingCount >= maxWaiting)
      throw new ThreadError('busy', `${waitingCount} tasks are waiting already`);
    let onAbort = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        onAbort = () => {
          giveUp(owner, resolve);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort);
        waiting.set(owner, [...(waiting.get(owner) ?? []), resolve]);
        waitingCount += 1;
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    hasFree: () => free > 0,

    async acquire(owner, signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await wait(owner, signal);
      return release;
    },
  };
}
