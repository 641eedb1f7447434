import type { ChildProcess } from 'node:child_process';
import { startChild } from './child-process.ts';
import type { CompilerAnswer, CompilerMessage } from './compiler-main.ts';
import type { Task, TaskResult } from './pdf-worker.ts';

/** The memory of the compiler, in pages of 64 kB: 300 MB. A document that needs more ends its thread, not the process. */
const MAX_MEMORY_PAGES = 4800;

const FLAGS = [
  `--wasm-max-mem-pages=${MAX_MEMORY_PAGES}`,
  // By default V8 optimises so much of the compiler that it takes longer than the document: 9 s of CPU instead of 3.
  '--wasm-tiering-budget=1000000000',
];

/** Idle time after which the process ends. The first document after it takes 0.7 s longer. */
const IDLE_MS = 30_000;

/**
 * The process of the compiler, with a thread for each document. If the threads were in the server, it would keep 150 MB
 * after the first document.
 */
export interface CompilerProcess {
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  startThread(): CompilerThread;
}

/** It performs one task at a time. */
export interface CompilerThread {
  /** Rejects with the error that ended the thread. */
  ask(task: Task): Promise<TaskResult>;
  /** Releases its memory. */
  close(): void;
}

interface OpenThread {
  resolve(result: TaskResult): void;
  reject(error: Error): void;
}

export function createCompilerProcess(idleMs = IDLE_MS): CompilerProcess {
  const threads = new Map<number, OpenThread>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): ChildProcess {
    const started = startChild(new URL('compiler-main', import.meta.url), FLAGS);
    started.on('message', ({ id, result, error }: CompilerAnswer) => {
      if (result) threads.get(id)?.resolve(result);
      else threads.get(id)?.reject(new Error(error));
    });
    const onEnd = (reason: unknown) => {
      if (child !== started) return;
      child = undefined;
      started.kill('SIGKILL');
      for (const thread of threads.values())
        thread.reject(new Error(`the compiler ended: ${String(reason)}`));
      threads.clear();
    };
    return started.once('exit', (code, signal) => onEnd(code ?? signal)).on('error', onEnd);
  }

  function endIfIdle(): void {
    if (threads.size > 0 || !child) return;
    // It does not keep the server running.
    child.unref();
    child.channel?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      child?.kill('SIGKILL');
      child = undefined;
    }, idleMs).unref();
  }

  return {
    get pid() {
      return child?.pid;
    },
    startThread() {
      clearTimeout(idle);
      const owner = (child ??= start());
      owner.ref();
      owner.channel?.ref();
      const id = ++lastId;
      const send = (message: CompilerMessage) => owner.send(message);
      let answer: (result: TaskResult) => void = () => undefined;
      const ended = new Promise<never>((_resolve, reject) => {
        threads.set(id, { resolve: (result) => answer(result), reject });
      });
      // It may end before its first task.
      ended.catch(() => undefined);
      send({ id, kind: 'start' });
      return {
        ask(task) {
          const answered = new Promise<TaskResult>((resolve) => (answer = resolve));
          if (threads.has(id)) send({ id, kind: 'task', task });
          return Promise.race([answered, ended]);
        },
        close() {
          if (threads.delete(id)) send({ id, kind: 'close' });
          endIfIdle();
        },
      };
    },
  };
}
