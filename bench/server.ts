import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from './api.ts';
import { freePort, hasEnded, stopChild } from './child.ts';
import type { Cleanup } from './cleanup.ts';
import { environment, PROGRAM, TOKEN } from './program.ts';
import type { CacheMode } from './row.ts';

const START_MS = 60_000;
const POLL_MS = 5;

export interface Server extends Endpoint {
  readonly pid: number;
  /** The data directory. */
  readonly data: string;
  /** From the start of the program to its first 200 for a request with a token. */
  readonly startedInMs: number;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly folder: string;
  readonly cache: CacheMode;
  /** The folder for the CPU profile, if requested. */
  readonly profileFolder?: string | undefined;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** A data folder, removed at the end. TMPDIR must be on a disk, not in memory, or writes look too fast. */
export function temporaryFolder(cleanup: Cleanup): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-bench-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function startServer(cleanup: Cleanup, options: StartOptions): Promise<Server> {
  const data = path.join(options.folder, 'data');
  const logFile = path.join(options.folder, 'server.log');
  const port = await freePort();
  // As root, PostgreSQL runs under another account, which needs to traverse the folder.
  await chmod(options.folder, 0o711);

  let child: ChildProcess | undefined;
  const stop = cleanup.add(async () => {
    if (child) await stopChild(child);
    endDatabase(data);
  });
  const log = openSync(logFile, 'a');
  const profiling = options.profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`] : [];
  const startedAt = performance.now();
  // In its own session, so that Ctrl-C reaches only this process, which stops it gracefully.
  child = spawn(process.execPath, [...profiling, ...(options.nodeOptions ?? []), PROGRAM, 'serve'], {
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', log, log],
    env: environment({
      PORT: String(port),
      OCTAVO_DATA: data,
      OCTAVO_CACHE: options.cache,
      // Sources of imports; its own port stays refused.
      OCTAVO_OUTBOUND_ALLOW: '127.0.0.1:*',
    }),
  });
  closeSync(log);
  const endpoint = { url: `http://127.0.0.1:${port}`, token: TOKEN };
  await waitUntilReady(child, endpoint, logFile);
  return { ...endpoint, pid: child.pid ?? 0, data, startedInMs: performance.now() - startedAt, stop };
}

async function waitUntilReady(child: ChildProcess, endpoint: Endpoint, logFile: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await isReady(endpoint))) {
    const problem = hasEnded(child) ? 'ended' : performance.now() > deadline && 'does not answer';
    if (problem)
      throw new Error(`The server ${problem}. Its log:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
    await delay(POLL_MS);
  }
}

/** `fetch` would need more wall and CPU time to find that the port is not open yet. */
export function isReady({ url, token }: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/v1/user`, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

/** A server that stopped gracefully has stopped its database; one that was killed has not. */
function endDatabase(data: string): void {
  try {
    const pid = Number.parseInt(readFileSync(path.join(data, 'pg', 'postmaster.pid'), 'utf8'), 10);
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data)) process.kill(pid, 'SIGQUIT');
  } catch {
    // The database has ended already.
  }
}
