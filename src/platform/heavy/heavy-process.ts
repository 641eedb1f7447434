import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createAttempts, ProcessLost } from './attempts.ts';
import { memoryOf } from './memory.ts';
import { ALIVE_MS, type FromHeavy, type ToHeavy } from './messages.ts';

export interface HeavyProcessOptions {
  /** The module that Node runs, and its arguments, which the path of the socket follows. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Megabytes: a process that needs more is ended. */
  readonly memoryMb: number;
  readonly log: Logger;
}

/** A child process that performs requests and runs jobs. If it is lost, another one is started. */
export interface HeavyProcess {
  /** Called when jobs of a lost process, which its worker has locked under this id, may run again. */
  start(releaseJobs: (workerId: string) => Promise<unknown>): void;
  /** Performs a request at the socket of the process, as `Attempts` does. */
  perform<T>(attempt: (socket: string) => Promise<T>): Promise<T>;
  /** Ends the process, which first finishes its requests and jobs. */
  stop(): Promise<void>;
}

/** An event loop that is blocked for this long does not recover in time for anyone. */
const MAX_BLOCKED_MS = 60_000;
const STOP_MS = 10_000;
const RESTART_MS = 1_000;
const INTERRUPTS = new Set<NodeJS.Signals | null>(['SIGINT', 'SIGTERM', 'SIGHUP']);
/** The share of the memory for JavaScript objects. The rest is for buffers and code. */
const HEAP_SHARE = 0.7;
/** A process that has more and has done nothing for this many checks is replaced. */
const MAX_IDLE_MB = 200;
const IDLE_CHECKS = 30;

function createHeavyProcess({ program, memoryMb, log, ...options }: HeavyProcessOptions): HeavyProcess {
  // Only this user may open the folder: the process trusts every connection to its socket.
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-'));
  const socket = path.join(folder, 'heavy.sock');
  let onListening = (): void => undefined;
  const untilListening = (): Promise<void> => new Promise((resolve) => (onListening = resolve));
  let listening = untilListening();
  const attempts = createAttempts(() => listening);
  let current: ChildProcess | undefined;
  /** Undefined until it listens. */
  let lastAlive: number | undefined;
  let isStopping = false;
  let requests = 0;

  function start(releaseJobs: (workerId: string) => Promise<unknown>): void {
    // Left by a process that was lost.
    rmSync(socket, { force: true });
    const child = fork(program, [...options.arguments, socket], {
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.round(memoryMb * HEAP_SHARE)}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    current = child;
    lastAlive = undefined;
    let workerId: string | undefined;
    let jobs = 0;
    let idleChecks = 0;
    let isRetired = false;
    const replace = (why: string): void => {
      log.warn({ pid: child.pid }, `the heavy process ${why}, and is replaced`);
      child.kill('SIGKILL');
    };
    const check = async (): Promise<void> => {
      if (lastAlive === undefined) return;
      const megabytes = await memoryOf(child.pid);
      idleChecks = requests === 0 && jobs === 0 ? idleChecks + 1 : 0;
      if (performance.now() - lastAlive > MAX_BLOCKED_MS) replace('was blocked');
      else if (megabytes > memoryMb) replace('needed too much memory');
      else if (megabytes > MAX_IDLE_MB && idleChecks > IDLE_CHECKS && !isRetired) retire();
    };
    /** Its end returns memory to the system that garbage collections would keep. */
    const retire = (): void => {
      isRetired = true;
      listening = untilListening();
      tell(child, 'stop');
    };
    const watch = setInterval(() => void check(), ALIVE_MS);
    child.on('message', (message: FromHeavy) => {
      if (message.type === 'worker') workerId = message.id;
      else lastAlive = performance.now();
      if (message.type === 'alive') jobs = message.jobs;
      if (message.type !== 'listening') return;
      onListening();
      // One of the requests that an earlier process was lost with may be the cause: no job is lost with it again.
      void attempts.settled().then(() => tell(child, 'run jobs'));
    });
    child.on('error', (error) => log.error({ err: error }, 'the heavy process cannot be started'));
    child.once('exit', async (code, signal) => {
      clearInterval(watch);
      if (isStopping) return;
      if (!isRetired) {
        // Requests wait for the next one already if this one never listened.
        if (lastAlive !== undefined) listening = untilListening();
        // Ctrl-C reaches all processes, also one that does not handle signals yet.
        const isInterrupted = lastAlive === undefined && INTERRUPTS.has(signal);
        log[isInterrupted ? 'info' : 'warn']({ code, signal }, 'the heavy process was lost');
        if (workerId !== undefined) await releaseJobs(workerId).catch(() => undefined);
      }
      if (lastAlive === undefined) await delay(RESTART_MS);
      if (!isStopping) start(releaseJobs);
    });
  }

  return {
    start,
    perform: (attempt) =>
      attempts.perform(async () => {
        const child = current;
        requests += 1;
        try {
          return await attempt(socket);
        } catch (error) {
          // Its connection is lost a moment before the process has ended.
          if (error instanceof ProcessLost && child)
            await Promise.race([untilEnded(child), delay(STOP_MS, undefined, { ref: false })]);
          throw error;
        } finally {
          requests -= 1;
        }
      }),
    async stop() {
      isStopping = true;
      // Before it listens, it has nothing to finish.
      if (current) await (lastAlive === undefined ? kill(current) : end(current));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  tell(child, 'stop');
  await Promise.race([untilEnded(child), delay(STOP_MS, undefined, { ref: false })]);
  await kill(child);
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = untilEnded(child);
  child.kill('SIGKILL');
  await ended;
}

async function untilEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** It may have ended. */
const tell = (child: ChildProcess, message: ToHeavy): void =>
  void (child.connected && child.send(message, () => undefined));

/** Several processes behind one interface. A request goes to the process with the fewest requests. */
export function createHeavyProcesses(count: number, options: HeavyProcessOptions): HeavyProcess {
  const processes = Array.from({ length: count }, () => ({
    process: createHeavyProcess(options),
    requests: 0,
  }));
  return {
    start(releaseJobs) {
      for (const { process } of processes) process.start(releaseJobs);
    },
    async perform(attempt) {
      const least = processes.reduce((one, other) => (other.requests < one.requests ? other : one));
      least.requests += 1;
      try {
        return await least.process.perform(attempt);
      } finally {
        least.requests -= 1;
      }
    },
    async stop() {
      await Promise.all(processes.map(({ process }) => process.stop()));
    },
  };
}
