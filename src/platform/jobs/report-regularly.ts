import type { Logger } from 'pino';

const EVERY_MS = 1_000;
/** Reports are sent without progress, too: work that does not report is taken for interrupted. */
const LEAST_EVERY_MS = 5_000;

export interface Reporting<P> {
  /** Aborted when the work was cancelled or claimed by another job. */
  readonly signal: AbortSignal;
  report(progress: P): void;
  end(): void;
}

/**
 * Writes the progress of work at most once a second, and learns in this way that the work is not wanted any more: `write`
 * returns false.
 */
export function reportRegularly<P>(
  log: Logger,
  first: P,
  write: (progress: P) => Promise<boolean>,
): Reporting<P> {
  const stopping = new AbortController();
  let latest = first;
  let written = first;
  let writtenAt = performance.now();
  let isWriting = false;

  async function writeIfDue(): Promise<void> {
    const isDue = latest !== written || performance.now() - writtenAt >= LEAST_EVERY_MS;
    if (isWriting || !isDue) return;
    isWriting = true;
    try {
      const progress = latest;
      const isHeld = await write(progress);
      [written, writtenAt] = [progress, performance.now()];
      if (!isHeld) stopping.abort(new Error('The work was cancelled'));
    } catch (error) {
      // The next report may succeed; the transaction that finishes the work checks the same.
      log.warn({ err: error }, 'the progress of a job could not be written');
    } finally {
      isWriting = false;
    }
  }

  const timer = setInterval(() => void writeIfDue(), EVERY_MS);
  timer.unref();
  return {
    signal: stopping.signal,
    report: (progress) => {
      latest = progress;
    },
    end: () => clearInterval(timer),
  };
}
