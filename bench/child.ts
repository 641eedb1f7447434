import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_MS = 20_000;

export async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = new AbortController();
  const inTime = await Promise.race([
    ended.then(() => true),
    delay(STOP_MS, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  if (!inTime) child.kill('SIGKILL');
  await ended;
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Resident memory in bytes; undefined where there is no /proc. */
export function residentMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Processes of Node that a process started, such as the compiler of PDFs; not its database. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(`/proc/${pid}/task/${thread}`));

function childrenOfThread(thread: string): number[] {
  try {
    const pids = readFileSync(`${thread}/children`, 'utf8').split(' ').filter(Boolean);
    return pids.filter((pid) => readlinkSync(`/proc/${pid}/exe`) === process.execPath).map(Number);
  } catch {
    // The thread or the child has just ended.
    return [];
  }
}

/** In bytes, of a server and of the processes that it started. */
export const residentMemoryOfAll = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (residentMemory(each) ?? 0), 0);

const TICKS_PER_SECOND = 100;

/** Processor time a process has used so far, in seconds. Undefined where there is no /proc. */
export function processorTime(pid: number): number | undefined {
  try {
    // The name, in brackets, may contain spaces; the numbers after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
