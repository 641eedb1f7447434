import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** The environment of PostgreSQL's programs: nothing of ours, so that no PGDATA or secret is passed on. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False if there is no such process, or we may not signal it. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Whether this process is a postmaster of this cluster: its pid may have been reused by another program. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return describe(pid).includes(`postgres -D ${cluster} `);
  const [program = '', flag, folder = ''] = commandLine(pid).split('\0');
  return basename(program) === 'postgres' && flag === '-D' && isSameFolder(folder, cluster);
}

/** Ends backends that outlived their postmaster in a long query: PostgreSQL does not start while they run. */
export function terminateOrphans(cluster: string): void {
  if (process.platform !== 'linux') return;
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandLine(pid).startsWith('postgres: '))
    .filter((pid) => isSameFolder(`/proc/${pid}/cwd`, cluster))
    .forEach((pid) => signal(pid, 'SIGTERM'));
}

/** World-readable, unlike the rest of /proc: root in a container may not inspect processes of other accounts. */
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

/** Compares device and inode: a folder that is mounted twice has several names. */
function isSameFolder(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}
