import { PdfError } from './pdf-error.ts';

/** Who may work now: a few at a time, and of those who wait, each owner in turn. */
export interface Turns {
  /**
   * Waits for a turn. Work that goes on comes before other work of its owner, and is never refused: so few documents are
   * half made at a time. Throws `PdfError` where too many wait, and what the signal was aborted with.
   */
  take(owner: string, signal: AbortSignal, isBegun?: boolean): Promise<Turn>;
}

export interface Turn {
  /** Whether another owner is waiting: work that can be interrupted should be. */
  isWanted(): boolean;
  end(): void;
}

type Begin = () => void;

export function createTurns({ concurrency, queue }: { concurrency: number; queue: number }): Turns {
  /** What owners wait for, in the order of their turns: an owner who has had one comes last. */
  const waiting = new Map<string, readonly Begin[]>();
  let running = 0;

  const setQueue = (owner: string, own: readonly Begin[]) => {
    if (own.length > 0) waiting.set(owner, own);
    else waiting.delete(owner);
  };
  const pass = () => {
    const [next] = waiting;
    if (!next) return void (running -= 1);
    const [owner, [begin, ...others]] = next;
    waiting.delete(owner);
    setQueue(owner, others);
    begin?.();
  };
  const turnOf = (owner: string): Turn => {
    let isOver = false;
    return {
      isWanted: () => [...waiting.keys()].some((other) => other !== owner),
      end() {
        if (!isOver) pass();
        isOver = true;
      },
    };
  };

  return {
    async take(owner, signal, isBegun = false) {
      signal.throwIfAborted();
      if (running < concurrency) {
        running += 1;
        return turnOf(owner);
      }
      const own = waiting.get(owner) ?? [];
      if (!isBegun && own.length >= queue)
        throw new PdfError('busy', `${own.length} documents of ${owner} are waiting`);
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          setQueue(
            owner,
            (waiting.get(owner) ?? []).filter((one) => one !== begin),
          );
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        setQueue(owner, isBegun ? [begin, ...own] : [...own, begin]);
      });
      return turnOf(owner);
    },
  };
}
