import {
  closeSync,
  constants,
  copyFileSync,
  fchownSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import type { Account } from './account.ts';
import type { DataDirectory } from './data-directory.ts';

const LARGEST_LOG = 16 * 1024 * 1024;
const LONGEST_REASON = 64 * 1024;

/** Opens PostgreSQL's log for appending. It is owned by the account, whichever process creates it. */
export function openLog(directory: DataDirectory, account: Account): number {
  trimLog(directory);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = openSync(directory.log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  fchownSync(file, account.uid, account.gid);
  return file;
}

/** Keeps one earlier file. Truncates rather than renames, because PostgreSQL has the file open. */
export function trimLog(directory: DataDirectory): void {
  if (logSize(directory) <= LARGEST_LOG) return;
  rmSync(`${directory.log}.1`, { force: true });
  copyFileSync(directory.log, `${directory.log}.1`, constants.COPYFILE_EXCL);
  truncateSync(directory.log);
}

export function logSize(directory: DataDirectory): number {
  return lstatSync(directory.log, { throwIfNoEntry: false })?.size ?? 0;
}

/** Why a postmaster gave up, from the lines written since; its own messages come first. */
export function findReason(directory: DataDirectory, since: number, pid: number): string | undefined {
  const text = readFrom(directory.log, since);
  const said = [
    new RegExp(`\\[${pid}\\] (?:FATAL|PANIC): +(.*)`),
    /(?:FATAL|PANIC): +(.*)/,
    /^postgres: +(.*)/m,
  ];
  return said.map((line) => line.exec(text)?.[1]).find((reason) => reason !== undefined);
}

function readFrom(path: string, since: number): string {
  const file = openSync(path, 'r');
  try {
    const text = Buffer.alloc(LONGEST_REASON);
    return text.toString('utf8', 0, readSync(file, text, 0, LONGEST_REASON, since));
  } finally {
    closeSync(file);
  }
}
