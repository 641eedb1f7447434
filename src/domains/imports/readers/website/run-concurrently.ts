const MAX_TIMER_MS = 2 ** 31 - 1;

/** A signal that is aborted with its parent, or at a time of `performance.now()`. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  abort(): void;
  end(): void;
}

export function startTimeLimit(parent: AbortSignal, until: number): TimeLimit {
  const controller = new AbortController();
  const left = Math.min(Math.max(0, until - performance.now()), MAX_TIMER_MS);
  const timer = setTimeout(() => controller.abort(), left);
  return {
    signal: AbortSignal.any([parent, controller.signal]),
    abort: () => controller.abort(),
    end: () => clearTimeout(timer),
  };
}

/**
 * Runs up to `concurrency` tasks at a time until none is running and `start` returns none. It is called again after each
 * task, which may have made others possible. After an error, running tasks are aborted and waited for.
 */
export async function runConcurrently(
  concurrency: number,
  start: () => Promise<void> | undefined,
  abort: () => void,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for (;;) {
      while (running.size < concurrency) {
        const task = start()?.finally(() => running.delete(task as Promise<void>));
        if (!task) break;
        running.add(task);
      }
      if (running.size === 0) return;
      await Promise.race(running);
    }
  } catch (error) {
    abort();
    await Promise.allSettled(running);
    throw error;
  }
}
