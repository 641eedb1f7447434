/** Results of long work by their keys. */
export type FinishedWork = ReadonlyMap<string, unknown>;

/**
 * Thrown inside a transaction that needs the result of long work. The transaction is rolled back, so that the work holds
 * neither a lock nor a connection; then the request starts again with the result in `ctx.finishedWork`.
 */
export class DeferredWork extends Error {
  readonly work: () => Promise<FinishedWork>;

  constructor(work: () => Promise<FinishedWork>) {
    super('The transaction needs the result of long work');
    this.work = work;
  }
}

/** How often long work is done between transactions. Then it is done inside: others may change the target each time. */
const MAX_INTERRUPTIONS = 8;

/** Attempts a request until its long work is finished. An attempt without `finished` does that work itself. */
export async function withDeferredWork<T>(
  attempt: (finished: FinishedWork | undefined) => Promise<T>,
): Promise<T> {
  const finished = new Map<string, unknown>();
  for (let interruptions = 0; ; interruptions++) {
    try {
      return await attempt(interruptions < MAX_INTERRUPTIONS ? finished : undefined);
    } catch (error) {
      if (!(error instanceof DeferredWork)) throw error;
      for (const [key, result] of await error.work()) finished.set(key, result);
    }
  }
}
