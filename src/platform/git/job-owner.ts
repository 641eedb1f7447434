import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/**
 * The process that a folder belongs to is in its name: `<machine>-<pid>-<process>`. A process may have the id of an earlier one,
 * in a container always: the last part tells them apart. Other machines may use the same disk.
 */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
export const OWNER = `${MACHINE}-${process.pid}-${randomUUID().slice(0, 8)}`;

/** Whether the process of this owner has ended. False where that cannot be known. */
export function hasEnded(owner: string): boolean {
  const [machine, id = ''] = owner.split('-');
  if (machine !== MACHINE || !/^\d+$/.test(id) || owner === OWNER) return false;
  return Number(id) === process.pid || !isRunning(Number(id));
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(id);
}

/** It has ended, and its parent has not read its exit code: in a container, that may never happen. */
function isZombie(id: number): boolean {
  try {
    return /^State:\tZ/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Ends the git processes that a killed server left in a folder: they run in it. Where there is no /proc, they end by their
 * closed pipes, or when the remote stalls.
 */
export async function endProcessesIn(folder: string): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const at = await readlink(path.join('/proc', name, 'cwd')).catch(() => '');
    if (at !== folder && !at.startsWith(`${folder}${path.sep}`)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
