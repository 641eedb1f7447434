import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataDirectory } from '../cluster/data-directory.ts';

/** The limit of the kernel is 107 bytes (Linux) or 103 (macOS), including the name of the socket. */
const LONGEST_FOLDER = 103 - '/.s.PGSQL.5432'.length;

/** A name for the folder of the sockets that is short enough to connect by. */
export interface SocketPath {
  readonly folder: string;
  remove(): void;
}

/** The socket itself is always in the data directory; a deep one is reached through a private link. */
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
