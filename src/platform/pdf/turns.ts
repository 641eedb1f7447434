import { PdfError } from './pdf-error.ts';

/** Who may work now: a few at a time, and of those who wait, each owner in turn. */
export interface Turns {
  /** Waits for a turn. Throws `PdfError` where too many wait, and what the signal was aborted with. */
  take(owner: string, signal: AbortSignal): Promise<Turn>;
}

export interface Turn {
  /** Whether somebody else is waiting: work that can be interrupted should be. */
  isWanted(): boolean;
  end(): void;
}

interface Waiting {
  readonly begin: () => void;
}

export function createTurns({ concurrency, queue }: { concurrency: number; queue: number }): Turns {
  /** Owners who wait, in the order of their turns: who has had one comes last. */
  const waiting = new Map<string, Set<Waiting>>();
  let running = 0;

  const leave = (owner: string, one: Waiting) => {
    const own = waiting.get(owner);
    own?.delete(one);
    if (own?.size === 0) waiting.delete(owner);
  };
  const pass = () => {
    const [next] = waiting;
    if (!next) return void (running -= 1);
    const [owner, own] = next;
    const [first] = own as Set<Waiting> & { [Symbol.iterator](): Iterator<Waiting> };
    leave(owner, first as Waiting);
    const rest = waiting.get(owner);
    if (rest && waiting.delete(owner)) waiting.set(owner, rest);
    (first as Waiting).begin();
  };
  const turnOf = (): Turn => {
    let isOver = false;
    return {
      isWanted: () => waiting.size > 0,
      end() {
        if (!isOver) pass();
        isOver = true;
      },
    };
  };

  return {
    async take(owner, signal) {
      signal.throwIfAborted();
      if (running < concurrency) {
        running += 1;
        return turnOf();
      }
      const own = waiting.get(owner) ?? new Set();
      if (own.size >= queue) throw new PdfError('busy', `${own.size} documents of ${owner} are waiting`);
      await new Promise<void>((resolve, reject) => {
        const one: Waiting = {
          begin() {
            signal.removeEventListener('abort', give);
            resolve();
          },
        };
        const give = () => {
          leave(owner, one);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', give, { once: true });
        waiting.set(owner, own.add(one));
      });
      return turnOf();
    },
  };
}
