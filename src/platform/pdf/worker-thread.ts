import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads';
import { scriptAt } from '../script.ts';

/** A worker thread that performs one task at a time. Closing it releases all its memory. */
export class WorkerThread<Task, Result> {
  readonly #worker: Worker;
  readonly #ended: Promise<never>;

  /** `file` is the URL of a module beside the caller, without extension. */
  constructor(file: URL, workerData?: unknown, resourceLimits: ResourceLimits = {}) {
    const options = { workerData, resourceLimits, env: {}, execArgv: [], stdout: true, stderr: true };
    const { url, isSource } = scriptAt(file);
    this.#worker = isSource
      ? new Worker(sourceOf(url.href), { ...options, eval: true })
      : new Worker(url, options);
    // Subscribed at once: the thread may fail before its first task.
    this.#ended = new Promise((_resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
    });
    this.#ended.catch(() => undefined);
  }

  /** Rejects with the error that ended the thread. */
  ask(task: Task): Promise<Result> {
    const answered = new Promise<Result>((resolve) => this.#worker.once('message', resolve));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(task);
    return Promise.race([answered, this.#ended]);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function sourceOf(file: string): string {
  const tsx = import.meta.resolve('tsx/esm/api');
  return `import('${tsx}').then(({ register }) => { register(); return import('${file}'); })`;
}

/** The receiving side, in the thread. An error that `perform` throws ends the thread. */
export function answerRequests<Task, Result>(
  port: MessagePort,
  perform: (task: Task) => Result | Promise<Result>,
): void {
  port.on('message', (task: Task) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    void Promise.resolve(perform(task)).then((result) => port.postMessage(result));
  });
}
