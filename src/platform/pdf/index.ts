import { Worker } from 'node:worker_threads';
import type { Answer, Source } from './compile.ts';
import { PdfError } from './pdf-error.ts';
import { createProgram } from './program.ts';

export { PdfError, type PdfReason } from './pdf-error.ts';

export interface PdfOptions {
  /** How long a document may take to be made: of a long one, so many for every megabyte of markup. */
  readonly timeoutMs?: number;
  readonly timeoutMsPerMegabyte?: number;
  /** Documents that are made at the same time. Each takes a thread and some 300 MB while it is made. */
  readonly concurrency?: number;
  /** Documents that may wait. */
  readonly queue?: number;
}

/** Makes documents of Typst markup. */
export interface Pdf {
  /**
   * Throws `PdfError`, or what `makeSource` throws. It is asked for when the document's turn comes, and the compiler gets
   * ready meanwhile. Paths in `files` are absolute: `/picture/0`.
   */
  compile(makeSource: () => Source | Promise<Source>): Promise<Buffer>;
}

export function createPdf({
  timeoutMs = 30_000,
  timeoutMsPerMegabyte = 200_000,
  concurrency = 1,
  queue = 20,
}: PdfOptions = {}): Pdf {
  const program = createProgram();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= queue) throw new PdfError('busy', 'too many documents are waiting');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The place goes to who waits longest. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async compile(makeSource) {
      await enter();
      try {
        const thread = startThread(await program());
        try {
          const document = documentOf(thread);
          const source = await makeSource();
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
          thread.postMessage(source);
          return await within(timeoutMs + (source.main.length / 1e6) * timeoutMsPerMegabyte, document);
        } finally {
          await thread.terminate();
        }
      } finally {
        leave();
      }
    },
  };
}

/** What a thread answers once. Listened to from the start: it may fail before it is asked anything. */
function documentOf(thread: Worker): Promise<Buffer> {
  const document = new Promise<Buffer>((resolve, reject) => {
    thread.once('message', (answer: Answer) => {
      if ('error' in answer) reject(new PdfError('failed', answer.error));
      else resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength));
    });
    thread.once('error', (error) => reject(new PdfError('failed', String(error))));
    thread.once('exit', (code) => reject(new PdfError('failed', `the compiler ended with ${code}`)));
  });
  document.catch(() => undefined);
  return document;
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PdfError('timeout', `no document after ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * A thread for each document: the server goes on, nothing of one is left for the next, and memory is given back.
 * Node 20 reads TypeScript in no thread: where the program runs from its sources, `tsx` is put before them.
 */
function startThread(program: WebAssembly.Module): Worker {
  const options = { workerData: program, env: {}, execArgv: [], stdout: true, stderr: true };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('compile.js', import.meta.url), options);
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), new URL('compile.ts', import.meta.url).href];
  const code = `import('${tsx}').then(({ register }) => { register(); return import('${file}'); })`;
  return new Worker(code, { ...options, eval: true });
}
