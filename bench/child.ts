import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_MS = 20_000;

/** False if it had to be killed. */
export async function stopChild(child: ChildProcess): Promise<boolean> {
  if (hasEnded(child)) return true;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = new AbortController();
  const inTime = await Promise.race([
    ended.then(() => true),
    delay(STOP_MS, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  if (inTime) return true;
  child.kill('SIGKILL');
  await ended;
  return false;
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
