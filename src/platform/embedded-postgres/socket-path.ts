import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

/** The kernel takes 107 bytes (Linux) or 103 (macOS), the name of the socket included. */
const LONGEST_FOLDER = 103 - '/.s.PGSQL.5432'.length;

/** A name for the folder of the sockets that is short enough to connect by. */
export interface SocketPath {
  readonly folder: string;
  remove(): void;
}

/** The socket itself always lies in the data directory; from a deep one, a private link leads to it. */
export function openSocketPath(directory: DataDirectory): SocketPath {
  if (Buffer.byteLength(directory.sockets) <= LONGEST_FOLDER) {
    return { folder: directory.sockets, remove: () => undefined };
  }
  const parent = Buffer.byteLength(tmpdir()) < LONGEST_FOLDER / 2 ? tmpdir() : '/tmp';
  const holder = mkdtempSync(join(parent, 'octavo-'));
  const folder = join(holder, 'run');
  symlinkSync(directory.sockets, folder);
  return { folder, remove: () => rmSync(holder, { recursive: true, force: true }) };
}
