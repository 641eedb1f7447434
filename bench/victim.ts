import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, type Api, type Endpoint } from './api.ts';
import type { Cleanup } from './cleanup.ts';
import { childrenOf, residentMemory, residentMemoryOfAll } from './child.ts';
import { COLLECT_MS } from './idle.ts';
import { isReady, startServer, temporaryFolder, type Server } from './server.ts';

/** A separate server for hostile requests, which reports the longest event-loop delay of the process that accepts them. */
export interface Victim {
  readonly api: Api;
  readonly server: Server;
  /** The effects of the work on the server. */
  observe(work: () => Promise<readonly Response[]>): Promise<Harm>;
  /** Resident memory in MB, of its processes, after freed memory was returned. */
  memory(): Promise<number>;
}

export interface Harm {
  /** The longest event-loop delay, in milliseconds. */
  readonly loopDelayMs: number;
  /** Of the server, or of a process that it started, whichever is larger. */
  readonly peakMb: number;
  /** Unexpected responses. */
  readonly wrong: number;
}

export interface Response {
  readonly isExpected: boolean;
}

const SETTLE_MS = 300;

/** Loaded into the server: writes the longest delay since the last signal, at each signal. */
const probe = (file: string): string => `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  import { writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    process.on('SIGUSR2', () => {
      writeFileSync(${JSON.stringify(file)}, String(delay.max / 1e6));
      delay.reset();
    });
  }`;

export async function startVictim(cleanup: Cleanup, heapMb?: number): Promise<Victim> {
  const folder = temporaryFolder(cleanup);
  const file = path.join(folder, 'loop-delay');
  const server = await startServer(cleanup, {
    folder,
    cache: 'on',
    nodeOptions: [
      ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
      '--import',
      `data:text/javascript,${encodeURIComponent(probe(file))}`,
    ],
  });
  const readDelay = async (): Promise<number> => {
    writeFileSync(file, '');
    process.kill(server.pid, 'SIGUSR2');
    while (readFileSync(file, 'utf8') === '') await delay(POLL_MS);
    return Number(readFileSync(file, 'utf8'));
  };
  return {
    api: createApi(server),
    server,
    async observe(work) {
      await delay(SETTLE_MS);
      const peak = startPeak(server.pid);
      await readDelay();
      const responses = await work();
      await delay(SETTLE_MS);
      return {
        loopDelayMs: await readDelay(),
        peakMb: peak.end() / 2 ** 20,
        wrong: responses.filter(({ isExpected }) => !isExpected).length,
      };
    },
    async memory() {
      await delay(COLLECT_MS);
      return residentMemoryOfAll(server.pid) / 2 ** 20;
    },
  };
}

const POLL_MS = 20;

/** The kernel records the peak of a process, until it ends: children are sampled. */
function startPeak(pid: number): { end(): number } {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  let largest = 0;
  const timer = setInterval(() => {
    largest = Math.max(largest, ...childrenOf(pid).map((child) => residentMemory(child) ?? 0));
  }, POLL_MS);
  return {
    end() {
      clearInterval(timer);
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kilobytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
      return Math.max(largest, kilobytes * 1024);
    },
  };
}

export interface Hostile {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** False: without a token. */
  readonly isSignedIn?: boolean;
}

export interface Received {
  readonly status: number;
  readonly bytes: number;
}

/** One request, whatever the response. The body is discarded: it may be large. */
export async function attack(server: Endpoint, hostile: Hostile): Promise<Received> {
  const received = await exchange(server, hostile);
  if (received) return received;
  if (!(await isReady(server))) throw new Error(`The server does not answer after ${hostile.path}`);
  return { status: 499, bytes: 0 };
}

/** Undefined if the connection broke before a response. */
function exchange({ url, token }: Endpoint, hostile: Hostile): Promise<Received | undefined> {
  const { method = 'POST', path: to, headers = {}, body, isSignedIn = true } = hostile;
  return new Promise((resolve, reject) => {
    const sent = request(
      url + to,
      {
        method,
        headers: {
          ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (answer) => {
        let bytes = 0;
        answer
          .on('data', (chunk: Buffer) => (bytes += chunk.length))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, bytes }))
          .on('error', reject);
      },
    );
    // A server that refuses early may close the connection while the rest is still being sent.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve(undefined) : reject(error),
    );
    sent.end(body);
  });
}
