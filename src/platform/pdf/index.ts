import { makeDocument, type Manuscript } from './document.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { ThreadError } from '../threads/thread-error.ts';
import { PdfError } from './pdf-error.ts';
import { createCompilerProcess } from './compiler-process.ts';
import { createCompileJob, ThreadDied, unlessAborted } from './compile-job.ts';

export type { Manuscript, Sheet } from './document.ts';
export { PdfError } from './pdf-error.ts';
export { WorkerThread } from './worker-thread.ts';

export interface PdfOptions {
  /** Time limit for one document. Waiting in the queue does not count. */
  readonly limitMs: number;
  /** Documents compiled concurrently. Each takes a thread and up to 300 MB. */
  readonly concurrency?: number;
  /** Maximum number of queued documents per owner. */
  readonly queueLimit?: number;
}

export interface PdfRequest {
  /** The queue is fair between owners, part by part: a long document of one owner does not block the others. */
  readonly owner: string;
  /** Cancels the work. */
  readonly signal: AbortSignal;
  /** Called when the document leaves the queue; the compiler starts in parallel. */
  write(signal: AbortSignal): Promise<Manuscript>;
}

/** Compiles Typst markup to PDF. */
export interface Pdf {
  /** Throws `PdfError`, or the error that `write` threw. */
  make(request: PdfRequest): Promise<Buffer>;
}

export function createPdf({ limitMs, concurrency = 1, queueLimit: limit = 20 }: PdfOptions): Pdf {
  const compiler = createCompilerProcess();
  const queue = createFairQueue(concurrency, Infinity, { waiting: limit });
  return {
    async make({ owner, signal, write }) {
      const job = createCompileJob({ queue, compiler, owner, signal, limitMs });
      try {
        await job.begin();
        const manuscript = await unlessAborted(job.signal, write(job.signal));
        return await makeDocument(job, manuscript);
      } catch (error) {
        if (error instanceof ThreadDied) throw new PdfError('too-large', error.message);
        if (error instanceof ThreadError) throw new PdfError('busy', error.message);
        throw error;
      } finally {
        job.end();
      }
    },
  };
}
