/** Work that several callers wait for, by name. It is aborted when the last of them gives up. */
export type SharedWork<T> = (
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

export function createSharedWork<T>(): SharedWork<T> {
  const byName = new Map<string, Running<T>>();

  function start(name: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => {
      if (byName.get(name) === running) byName.delete(name);
    });
    const running = { result, controller, callers: 0 };
    byName.set(name, running);
    return running;
  }

  return async (name, signal, work) => {
    signal.throwIfAborted();
    const running = byName.get(name) ?? start(name, work);
    running.callers += 1;
    const leave = () => {
      running.callers -= 1;
      if (running.callers > 0) return;
      // Later callers start new work instead of joining the aborted one.
      if (byName.get(name) === running) byName.delete(name);
      running.controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await running.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
