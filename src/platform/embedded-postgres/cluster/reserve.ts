import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DISK_FULL } from '../../database/sqlstates.ts';
import type { DataDirectory } from './data-directory.ts';

/**
 * A file that reserves disk space for PostgreSQL. After a crash on a full disk it could not start otherwise: its recovery
 * writes at least one WAL segment (16 MB).
 */
const RESERVE_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

const fileIn = (directory: DataDirectory): string => join(directory.root, 'reserve');

function freeBytes(directory: DataDirectory): number {
  const { bavail, bsize } = statfsSync(directory.root);
  return bavail * bsize;
}

/** If less space is free, PostgreSQL may be unable to write the file that every new connection reads (`pg_internal.init`). */
const NEARLY_NOTHING = 1024 * 1024;

export const isFull = (directory: DataDirectory, free = freeBytes(directory)): boolean =>
  free < NEARLY_NOTHING;

/** When PostgreSQL needs space: releases the reserve if the disk is full. */
export function releaseReserve(directory: DataDirectory, free = freeBytes(directory)): void {
  if (free < RESERVE_BYTES) rmSync(fileIn(directory), { force: true });
}

/**
 * Holds the reserve of a running database, or releases it if PostgreSQL refuses connections for lack of space.
 * `refusal` connects, and returns the SQLSTATE if that was refused.
 */
export async function tendReserve(
  directory: DataDirectory,
  refusal: () => Promise<string | undefined>,
  free = freeBytes(directory),
): Promise<'released' | undefined> {
  if (!isFull(directory, free)) {
    await holdReserve(directory, free);
    return undefined;
  }
  if ((await refusal()) !== DISK_FULL || !existsSync(fileIn(directory))) return undefined;
  releaseReserve(directory, free);
  return 'released';
}

/** Creates the reserve, unless it exists or the disk is nearly full. A failure does not stop the server. */
export async function holdReserve(directory: DataDirectory, free = freeBytes(directory)): Promise<void> {
  try {
    const size = statSync(fileIn(directory), { throwIfNoEntry: false })?.size ?? 0;
    if (size === RESERVE_BYTES || free < 4 * RESERVE_BYTES) return;
    await fill(fileIn(directory));
  } catch {
    await rm(fileIn(directory), { force: true }).catch(() => undefined);
  }
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    // Random bytes: a compressing file system would reserve no space for zeros.
    for (let written = 0; written < RESERVE_BYTES; written += CHUNK_BYTES)
      await file.write(randomBytes(CHUNK_BYTES));
  } finally {
    await file.close();
  }
}
