import { makeDocument, type Manuscript } from './document.ts';
import { PdfError } from './pdf-error.ts';
import { createProgram } from './program.ts';
import { openSession, ThreadDied, unlessAborted } from './session.ts';
import { createTurns } from './fair-queue.ts';

export type { Manuscript, Place, Sheet } from './document.ts';
export { PdfError, type PdfReason } from './pdf-error.ts';
export { answerRequests, Thread } from './thread.ts';

export interface PdfOptions {
  /** How long the work on one document may take. Waiting for its turn does not count. */
  readonly limitMs: number;
  /** Documents that are worked on at the same time. Each takes a thread and some 400 MB. */
  readonly concurrency?: number;
  /** Documents of one owner that may wait. */
  readonly queue?: number;
}

export interface PdfRequest {
  /** Owners take turns, part by part: the documents of one do not keep another waiting for long. */
  readonly owner: string;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Called when the document's turn has come; the compiler gets ready meanwhile. */
  write(signal: AbortSignal): Promise<Manuscript>;
}

/** Makes documents of Typst markup. */
export interface Pdf {
  /** Throws `PdfError`, or what `write` throws. */
  make(request: PdfRequest): Promise<Buffer>;
}

export function createPdf({ limitMs, concurrency = 1, queue = 20 }: PdfOptions): Pdf {
  const program = createProgram();
  const turns = createTurns({ concurrency, queue });
  return {
    async make({ owner, signal, write }) {
      const session = openSession({ turns, program, owner, signal, limitMs });
      try {
        await session.begin();
        const manuscript = await unlessAborted(session.signal, write(session.signal));
        return await makeDocument(session, manuscript);
      } catch (error) {
        if (error instanceof ThreadDied) throw new PdfError('too-large', error.message);
        throw error;
      } finally {
        await session.end();
      }
    },
  };
}
