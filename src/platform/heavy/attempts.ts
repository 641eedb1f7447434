/** The process that performed a request has ended before it answered, and before it began to commit. */
export class ProcessLost extends Error {}

/** Requests at a process that may be lost. */
export interface Attempts {
  /**
   * Performs a request: once more if the process was lost, and then alone, since any of those that it performed may be the
   * cause. Throws `ProcessLost` if that is lost, too.
   */
  perform<T>(attempt: () => Promise<T>): Promise<T>;
  /** Resolves when no request is tried alone. */
  settled(): Promise<void>;
}

export function createAttempts(listening: () => Promise<void>): Attempts {
  /** The last of the requests that are tried alone, one after the other. */
  let alone: Promise<unknown> = Promise.resolve();

  async function settled(): Promise<void> {
    for (let last: unknown; last !== alone;) await (last = alone);
  }

  return {
    settled,
    async perform(attempt) {
      await settled();
      await listening();
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error;
      }
      const again = alone.then(listening).then(attempt);
      alone = again.catch(() => undefined);
      return again;
    },
  };
}
