import { Worker } from 'node:worker_threads';
import type { Answer, Source, Task } from './compile.ts';
import { PdfError } from './pdf-error.ts';
import { createProgram } from './program.ts';

export { PdfError, type PdfReason } from './pdf-error.ts';

export interface PdfOptions {
  readonly timeoutMs?: number;
  /** Documents that are made at the same time. Each takes a thread and some 300 MB while it is made. */
  readonly concurrency?: number;
  /** Documents that may wait. */
  readonly queue?: number;
}

/** Makes documents of Typst markup. */
export interface Pdf {
  /** Throws `PdfError`. Paths in `files` are absolute: `/picture/0`. */
  compile(source: Source): Promise<Buffer>;
}

export function createPdf({ timeoutMs = 30_000, concurrency = 1, queue = 20 }: PdfOptions = {}): Pdf {
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
    async compile(source) {
      await enter();
      try {
        return await inThread({ ...source, program: await program() }, timeoutMs);
      } finally {
        leave();
      }
    },
  };
}

/** A thread for each document: the server goes on, nothing of one is left for the next, and memory is given back. */
async function inThread(task: Task, timeoutMs: number): Promise<Buffer> {
  const worker = startThread(task);
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new PdfError('timeout', `no document after ${timeoutMs} ms`)),
        timeoutMs,
      );
      worker.once('message', resolve);
      worker.once('error', (error) => reject(new PdfError('failed', String(error))));
      worker.once('exit', (code) => reject(new PdfError('failed', `the compiler ended with ${code}`)));
    });
    if ('error' in answer) throw new PdfError('failed', answer.error);
    return Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Node 20 reads TypeScript in no thread: where the program runs from its sources, `tsx` is put before them. */
function startThread(task: Task): Worker {
  const options = { workerData: task, env: {}, execArgv: [], stdout: true, stderr: true };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('compile.js', import.meta.url), options);
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), new URL('compile.ts', import.meta.url).href];
  const code = `import('${tsx}').then(({ register }) => { register(); return import('${file}'); })`;
  return new Worker(code, { ...options, eval: true });
}
