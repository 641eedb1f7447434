import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stopChild } from './child.ts';
import type { Cleanup } from './cleanup.ts';

/** Serves sources of imports in a process of its own. Returns its address. */
export async function startSite(cleanup: Cleanup, program = 'site-server.ts'): Promise<string> {
  let child: ChildProcess | undefined;
  cleanup.add(async () => child && stopChild(child));
  child = fork(new URL(program, import.meta.url), { detached: true });
  const [port] = (await once(child, 'message')) as [number];
  return `http://127.0.0.1:${port}`;
}
