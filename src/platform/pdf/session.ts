import { createImageProcess } from './image-process.ts';
import type { Task, TaskResult } from './pdf-worker.ts';
import { PdfError } from './pdf-error.ts';
import { Thread } from './thread.ts';
import type { Turn, Turns } from './fair-queue.ts';

/** The compiler ended: mostly because it could have no more memory. */
export class ThreadDied extends Error {}

/** The work on one document: it has a turn and a thread while it works, and counts the time of that. */
export interface Session {
  /** Aborted when the document is not wanted any more, or took too long. */
  readonly signal: AbortSignal;
  /** Waits for a turn, and gets a thread ready. */
  begin(): Promise<void>;
  /** Throws `ThreadDied`, or what the work was stopped for. */
  ask(task: Task): Promise<TaskResult>;
  /** An image as print needs it; undefined where it is none. */
  scaleImage(bytes: Uint8Array): Promise<Uint8Array | undefined>;
  /** Gives the thread's memory back; the next task has a new one. */
  dropThread(): Promise<void>;
  /** Lets others work whose turn it is. */
  giveWay(): Promise<void>;
  end(): Promise<void>;
}

export interface SessionOptions {
  readonly turns: Turns;
  readonly program: () => Promise<WebAssembly.Module>;
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

export function openSession({ turns, program, owner, signal, limitMs }: SessionOptions): Session {
  const stop = new AbortController();
  const cancel = () => stop.abort(new PdfError('cancelled', 'the request for the document was cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();

  const images = createImageProcess();
  let turn: Turn | undefined;
  let thread: Thread<Task, TaskResult> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let [left, since] = [limitMs, 0];

  async function begin(): Promise<void> {
    if (!turn) {
      turn = await turns.take(owner, stop.signal, left < limitMs);
      since = performance.now();
      timer = setTimeout(
        () => stop.abort(new PdfError('too-large', `no document after ${limitMs} ms`)),
        Math.max(0, left),
      );
    }
    thread ??= new Thread(new URL('pdf-worker', import.meta.url), await program());
  }
  async function dropThread(): Promise<void> {
    const old = thread;
    thread = undefined;
    await old?.close();
  }
  async function rest(): Promise<void> {
    clearTimeout(timer);
    images.close();
    await dropThread();
    if (turn) left -= performance.now() - since;
    turn?.end();
    turn = undefined;
  }
  return {
    signal: stop.signal,
    begin,
    dropThread,
    async ask(task) {
      await begin();
      const answer = (thread as Thread<Task, TaskResult>).ask(task).catch((error: unknown) => {
        throw new ThreadDied(String(error));
      });
      return unlessAborted(stop.signal, answer);
    },
    scaleImage: (bytes) => unlessAborted(stop.signal, images.scale(bytes)),
    async giveWay() {
      if (turn?.isWanted()) await rest();
    },
    async end() {
      signal.removeEventListener('abort', cancel);
      await rest();
    },
  };
}

/** What the work comes to, or the reason of the signal, whichever is first. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // It may fail when nobody waits for it any more.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
