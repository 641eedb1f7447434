import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endWithServer } from './child-process.ts';
import type { Task, TaskResult } from './pdf-worker.ts';
import { WorkerThread } from './worker-thread.ts';

/** Entry point of the process of the compiler (`compiler-process.ts`). */

export type CompilerMessage =
  | { readonly id: number; readonly kind: 'start' | 'close' }
  | { readonly id: number; readonly kind: 'task'; readonly task: Task };

/** To each task: its result, or the error that ended the thread. */
export interface CompilerAnswer {
  readonly id: number;
  readonly result?: TaskResult;
  readonly error?: string;
}

type Thread = WorkerThread<Task, TaskResult>;

/** Shared between threads: code that V8 optimised for one document is not optimised again for the next. */
const compiler = loadModule();
const threads = new Map<number, Promise<Thread>>();
/** The memory of a thread is released before the next one starts. */
let closed: Promise<unknown> = Promise.resolve();

const answer = (message: CompilerAnswer): void => void process.send?.(message);

async function start(): Promise<Thread> {
  await closed;
  return new WorkerThread(new URL('pdf-worker', import.meta.url), await compiler);
}

async function perform(id: number, task: Task): Promise<void> {
  try {
    const thread = await threads.get(id);
    if (thread) answer({ id, result: await thread.ask(task) });
  } catch (error) {
    answer({ id, error: String(error) });
  }
}

async function close(id: number): Promise<void> {
  const thread = threads.get(id);
  threads.delete(id);
  await (await thread)?.close();
}

process.on('message', (message: CompilerMessage) => {
  const { id, kind } = message;
  if (kind === 'start') threads.set(id, start());
  else if (kind === 'task') void perform(id, message.task);
  else closed = Promise.all([closed, close(id)]);
});
endWithServer();

async function loadModule(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@myriaddreamin/typst-ts-web-compiler/wasm');
  // The types of Node declare the namespace without its members.
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
  };
  return wasm.compile(await readFile(file));
}
