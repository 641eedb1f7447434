/** Results of long work by their keys. */
export type FinishedWork = ReadonlyMap<string, unknown>;

/**
 * Thrown inside a transaction that needs the result of long work. The transaction is undone, so that no lock and no
 * connection waits; the work is done; and the request is begun again with the result in `ctx.finishedWork`.
 */
export class UnfinishedWork extends Error {
  readonly work: () => Promise<FinishedWork>;

  constructor(work: () => Promise<FinishedWork>) {
    super('The transaction needs the result of long work');
    this.work = work;
  }
}
