import type { CompilerProcess, CompilerThread } from './compiler-process.ts';
import type { FairQueue } from '../threads/fair-queue.ts';
import { createImageProcess } from './images/image-process.ts';
import { PdfError } from './pdf-error.ts';
import type { Task, TaskResult } from './pdf-worker.ts';

/** The compiler thread ended, mostly because it ran out of memory. */
export class ThreadDied extends Error {}

/** The work on one document. It holds a slot of the queue and a thread while it works; only that time counts. */
export interface CompileJob {
  /** Aborted when the request is cancelled or the time limit is reached. */
  readonly signal: AbortSignal;
  /** Waits for a slot and starts a thread. */
  begin(): Promise<void>;
  /** Throws `ThreadDied`, or the reason of the abort. */
  ask(task: Task): Promise<TaskResult>;
  /** An image scaled for print; undefined where the bytes are no image. */
  scaleImage(bytes: Uint8Array): Promise<Uint8Array | undefined>;
  /** Releases the thread and its memory; the next task starts a new one. */
  dropThread(): void;
  /** Releases the slot if another owner is waiting. */
  yieldToOthers(): void;
  end(): void;
}

export interface CompileJobOptions {
  readonly queue: FairQueue;
  readonly compiler: CompilerProcess;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

export function createCompileJob({ queue, compiler, owner, signal, limitMs }: CompileJobOptions): CompileJob {
  const stop = new AbortController();
  const cancel = () => stop.abort(new PdfError('cancelled', 'the request for the document was cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();

  const images = createImageProcess();
  let release: (() => void) | undefined;
  let thread: CompilerThread | undefined;
  let timer: NodeJS.Timeout | undefined;
  let [left, since] = [limitMs, 0];

  async function begin(): Promise<void> {
    if (!release) {
      release = await queue.acquire(owner, stop.signal, { isResumed: left < limitMs });
      since = performance.now();
      timer = setTimeout(
        () => stop.abort(new PdfError('too-large', `no document after ${limitMs} ms`)),
        Math.max(0, left),
      );
    }
    thread ??= compiler.startThread();
  }
  function dropThread(): void {
    thread?.close();
    thread = undefined;
  }
  function pause(): void {
    clearTimeout(timer);
    images.close();
    dropThread();
    if (release) left -= performance.now() - since;
    release?.();
    release = undefined;
  }
  return {
    signal: stop.signal,
    begin,
    dropThread,
    async ask(task) {
      await begin();
      const answer = (thread as CompilerThread).ask(task).catch((error: unknown) => {
        throw new ThreadDied(String(error));
      });
      return unlessAborted(stop.signal, answer);
    },
    scaleImage: (bytes) => unlessAborted(stop.signal, images.scale(bytes)),
    yieldToOthers() {
      if (release && queue.isContended(owner)) pause();
    },
    end() {
      signal.removeEventListener('abort', cancel);
      pause();
    },
  };
}

/** Settles with the work, or rejects with the reason of the signal, whichever comes first. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // It may still fail after the abort; that is no unhandled rejection.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
