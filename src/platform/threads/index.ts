import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { followSignals } from '../follow-signals.ts';
import { scriptAt } from '../script.ts';
import { ThreadError } from './thread-error.ts';
import type { Outcome, TaskMessage } from './thread-main.ts';
import { createFairQueue } from './fair-queue.ts';
import { startTaskLimit } from './task-limit.ts';
import { createClock } from './thread-clock.ts';

export { ThreadError } from './thread-error.ts';

export interface ThreadsOptions {
  /** The module whose `tasks` are the functions that the threads run, by name. */
  readonly tasks: URL;
  readonly threads?: number;
  /** Limit of a task: CPU time of its thread, so that a busy machine refuses nothing that an idle one accepts. */
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  /** Tasks that may wait for a thread. */
  readonly queue?: number;
  /** How long an idle thread lives. Its end returns its memory to the system, but the next one compiles all code again. */
  readonly idleMs?: number;
}

export interface RunOptions {
  /** Round-robin by owner: many tasks of one owner do not delay those of another. */
  readonly owner?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Limit by the wall clock, for a task that waits. Default: ten times `timeoutMs`. */
  readonly wallMs?: number;
}

/** Runs pure functions in worker threads. */
export interface Threads {
  /**
   * Calls the task `name` with a copy of `input`, and returns a copy of its result; a `Uint8Array` that is the result, or a
   * field of it, is transferred instead.
   * Throws `ThreadError`, or an error with the fields of what the function threw.
   */
  run(name: string, input: unknown, options?: RunOptions): Promise<unknown>;
  /** Ends the threads. Running tasks fail as aborted. */
  close(): Promise<void>;
}

/** Half of the default: tasks are as fast, and a large one needs some 30 MB less. */
const YOUNG_MB = 24;

/** The share of the waiting places that one owner may take. */
const MAX_SHARE = 1 / 4;

/** Small machines have one thread: the event loop and the database need the other core. */
const threadsByDefault = (): number => (availableParallelism() > 2 ? 2 : 1);

export function createThreads({
  tasks,
  threads = threadsByDefault(),
  timeoutMs: defaultTimeoutMs = 60_000,
  memoryMb = 256,
  queue = 256,
  idleMs = 10_000,
}: ThreadsOptions): Threads {
  const slots = createFairQueue(threads, queue, { waiting: Math.ceil(queue * MAX_SHARE) });
  const closing = new AbortController();
  // Each task that waits listens, until it ends: Node would take more than ten for a leak.
  setMaxListeners(0, closing.signal);
  let current: Pool | undefined;

  function start(): Pool {
    const piscina = new Piscina<TaskMessage, Outcome>({
      ...entryPoint(),
      name: 'runTask',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
      workerData: tasks.href,
      env: {},
    });
    const broken = new AbortController();
    // If its module does not load, a thread fails before it has a task, which would wait forever.
    piscina.on('error', (error: Error) => {
      current = undefined;
      broken.abort(error);
    });
    return { piscina, broken: broken.signal };
  }

  async function runTask(name: string, input: unknown, cancelled: AbortSignal, limits: TaskLimits) {
    const { timeoutMs, wallMs = 10 * timeoutMs } = limits;
    const { piscina, broken } = (current ??= start());
    const clock = createClock();
    const limit = startTaskLimit(clock, timeoutMs, wallMs);
    const ended = followSignals([cancelled, broken, limit.signal]);
    try {
      const outcome = await piscina.run({ name, input, clock }, { signal: ended.signal });
      if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
      return outcome.value;
    } catch (error) {
      cancelled.throwIfAborted();
      broken.throwIfAborted();
      if (limit.signal.aborted)
        throw new ThreadError('time', `${name} took more than ${timeoutMs} ms of CPU time, or ${wallMs} ms`);
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ThreadError('memory', `${name} needed more than ${memoryMb} MB`);
      throw error;
    } finally {
      limit.end();
      ended.end();
    }
  }

  return {
    async run(name, input, { owner = '', signal, timeoutMs = defaultTimeoutMs, wallMs } = {}) {
      const cancelled = followSignals(signal ? [signal, closing.signal] : [closing.signal]);
      try {
        const release = await slots.acquire(owner, cancelled.signal);
        try {
          return await runTask(name, input, cancelled.signal, { timeoutMs, wallMs });
        } finally {
          release();
        }
      } finally {
        cancelled.end();
      }
    },

    async close() {
      closing.abort(new ThreadError('closed', 'the threads were closed'));
      await current?.piscina.destroy();
    },
  };
}

interface TaskLimits {
  readonly timeoutMs: number;
  readonly wallMs: number | undefined;
}

interface Pool {
  readonly piscina: Piscina<TaskMessage, Outcome>;
  readonly broken: AbortSignal;
}

function entryPoint(): { filename: string; execArgv: string[] } {
  const { url, isSource } = scriptAt(new URL('thread-main', import.meta.url));
  if (!isSource) return { filename: url.href, execArgv: [] };
  const code = `import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;
  return { filename: url.href, execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] };
}
