import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads';

/** A thread that does one thing after another, and is gone with all its memory when it is closed. */
export class Thread<Task, Result> {
  readonly #worker: Worker;
  readonly #ended: Promise<never>;

  /**
   * `file` names a module beside the caller: its URL without an extension. Node 20 reads TypeScript in no thread: where the
   * program runs from its sources, `tsx` is put before them.
   */
  constructor(file: URL, workerData?: unknown, resourceLimits: ResourceLimits = {}) {
    const options = { workerData, resourceLimits, env: {}, execArgv: [], stdout: true, stderr: true };
    this.#worker = import.meta.url.endsWith('.ts')
      ? new Worker(sourceOf(`${file.href}.ts`), { ...options, eval: true })
      : new Worker(new URL(`${file.href}.js`), options);
    // Listened to from the start: it may fail before it is asked anything.
    this.#ended = new Promise((_resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
    });
    this.#ended.catch(() => undefined);
  }

  /** Rejects with what the thread died of. */
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

/** The other end, in the thread. What is thrown ends it. */
export function answerRequests<Task, Result>(
  port: MessagePort,
  perform: (task: Task) => Result | Promise<Result>,
): void {
  port.on('message', (task: Task) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    void Promise.resolve(perform(task)).then((result) => port.postMessage(result));
  });
}
