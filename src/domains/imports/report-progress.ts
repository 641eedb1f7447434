import type { JobContext } from '../../platform/jobs/job.ts';
import type { ImportWork, Progress } from './imported-folder.ts';
import { reportProgress, type ClaimedRun } from './store.ts';

const EVERY_MS = 1_000;
/** Also without progress: a run that does not report is taken for interrupted. */
const LEAST_EVERY_MS = 5_000;

export interface Reporting extends Pick<ImportWork, 'report'> {
  /** Aborted when the run was cancelled or claimed by another job. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Writes the progress of a run at most once a second, and learns in this way that it was cancelled. */
export function reportRegularly(ctx: JobContext, run: ClaimedRun): Reporting {
  const stopping = new AbortController();
  let latest: Progress = { found: 0, imported: 0, skipped: 0 };
  let written = latest;
  let writtenAt = performance.now();
  let isWriting = false;

  async function write(): Promise<void> {
    const isDue = latest !== written || performance.now() - writtenAt >= LEAST_EVERY_MS;
    if (isWriting || !isDue) return;
    isWriting = true;
    try {
      const progress = latest;
      const isHeld = await reportProgress(ctx.db, run, progress);
      [written, writtenAt] = [progress, performance.now()];
      if (!isHeld) stopping.abort(new Error('The import run was cancelled'));
    } catch (error) {
      // The next report may succeed; the transaction that finishes the run checks the same.
      ctx.log.warn({ err: error, importRunId: run.id }, 'the progress of an import could not be written');
    } finally {
      isWriting = false;
    }
  }

  const timer = setInterval(() => void write(), EVERY_MS);
  timer.unref();
  return {
    signal: stopping.signal,
    report: (progress) => {
      latest = progress;
    },
    end: () => clearInterval(timer),
  };
}
