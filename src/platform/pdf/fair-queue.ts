import { PdfError } from './pdf-error.ts';

/** A limited number of slots. Owners that wait for one are served round-robin, the requests of an owner in order. */
export interface FairQueue {
  /**
   * Waits for a slot. Resumed work precedes other work of its owner and is never refused, so that few documents are
   * unfinished at a time. Throws `PdfError` if the queue of the owner is full, and the reason of the signal on abort.
   */
  acquire(owner: string, signal: AbortSignal, options?: { isResumed?: boolean }): Promise<Slot>;
}

export interface Slot {
  /** Whether another owner is waiting: interruptible work should then release the slot. */
  isContended(): boolean;
  release(): void;
}

type Start = () => void;

export function createFairQueue({ concurrency, limit }: { concurrency: number; limit: number }): FairQueue {
  /** Waiting requests by owner, in round-robin order: an owner that was served goes to the end. */
  const waiting = new Map<string, readonly Start[]>();
  let running = 0;

  const setWaiting = (owner: string, own: readonly Start[]) => {
    if (own.length > 0) waiting.set(owner, own);
    else waiting.delete(owner);
  };
  const serveNext = () => {
    const [next] = waiting;
    if (!next) return void (running -= 1);
    const [owner, [start, ...others]] = next;
    waiting.delete(owner);
    setWaiting(owner, others);
    start?.();
  };
  const slotOf = (owner: string): Slot => {
    let isReleased = false;
    return {
      isContended: () => [...waiting.keys()].some((other) => other !== owner),
      release() {
        if (!isReleased) serveNext();
        isReleased = true;
      },
    };
  };

  return {
    async acquire(owner, signal, { isResumed = false } = {}) {
      signal.throwIfAborted();
      if (running < concurrency) {
        running += 1;
        return slotOf(owner);
      }
      const own = waiting.get(owner) ?? [];
      if (!isResumed && own.length >= limit)
        throw new PdfError('busy', `${own.length} documents of ${owner} are waiting`);
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        };
        const cancel = () => {
          setWaiting(
            owner,
            (waiting.get(owner) ?? []).filter((one) => one !== start),
          );
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', cancel, { once: true });
        setWaiting(owner, isResumed ? [start, ...own] : [...own, start]);
      });
      return slotOf(owner);
    },
  };
}
