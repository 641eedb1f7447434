import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** What PostgreSQL's programs are started with: nothing of ours, so that no PGDATA or secret gets in. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False when there is no such process any more, or it is not ours to signal. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Whether this process is a postmaster on this cluster: its pid alone may have been given to another program. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return describe(pid).includes(`postgres -D ${cluster} `);
  const [program = '', flag, folder = ''] = commandLine(pid).split('\0');
  return basename(program) === 'postgres' && flag === '-D' && isSameFolder(folder, cluster);
}

/** Ends the backends that outlived their postmaster in a long query; PostgreSQL refuses to start beside them. */
export function terminateOrphans(cluster: string): void {
  if (process.platform !== 'linux') return;
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandLine(pid).startsWith('postgres: '))
    .filter((pid) => isSameFolder(`/proc/${pid}/cwd`, cluster))
    .forEach((pid) => signal(pid, 'SIGTERM'));
}

/** Readable for everyone, unlike the rest below /proc: root in a container may not look at other accounts' processes. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function describe(pid: number): string {
  const options = { encoding: 'utf8', env: CLEAN_ENVIRONMENT } as const;
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], options).stdout ?? '';
}

/** By identity, because a folder has several names where it is mounted twice. */
function isSameFolder(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}
