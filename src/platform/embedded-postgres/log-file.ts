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

/** Opens PostgreSQL's log for appending; it belongs to the account, whoever opened it first. */
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

/** Why PostgreSQL gave up, from what it wrote since. */
export function findReason(directory: DataDirectory, since: number): string | undefined {
  const file = openSync(directory.log, 'r');
  try {
    const text = Buffer.alloc(LONGEST_REASON);
    const length = readSync(file, text, 0, LONGEST_REASON, since);
    return /(?:FATAL: |PANIC: |^postgres:) +(.*[^.\n])/m.exec(text.toString('utf8', 0, length))?.[1];
  } finally {
    closeSync(file);
  }
}
