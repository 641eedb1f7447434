import { readFile } from 'node:fs/promises';
import type { Context } from '../../../platform/api/context.ts';
import type { Spool } from '../../../platform/spool.ts';
import { createFairQueue } from '../../../platform/threads/fair-queue.ts';
import { storeBytes, type StoredFile } from './store-bytes.ts';

/** Larger files arrive on disk, and wait there for their turn. */
export const LARGE_FILE = 1024 * 1024;

/** Large files that the process has in memory at the same time. */
const AT_ONCE = 2;
const MAX_WAITING = 500;
const turns = createFairQueue(AT_ONCE, MAX_WAITING);

/** Stores a file. If it is large, it is read when it is its turn: organizations take turns. */
export async function storeInTurn(
  ctx: Pick<Context, 'db' | 'files'>,
  storeId: string,
  file: { readonly name: string; readonly size: number },
  read: () => Promise<Uint8Array>,
): Promise<StoredFile> {
  const store = async () => storeBytes(ctx, storeId, file.name, await read());
  if (file.size <= LARGE_FILE) return store();
  const release = await turns.acquire(storeId, new AbortController().signal);
  try {
    return await store();
  } finally {
    release();
  }
}

/** The same for a temporary file, which is deleted in any case. */
export async function storeSpool(
  ctx: Pick<Context, 'db' | 'files'>,
  storeId: string,
  name: string,
  spool: Spool,
): Promise<StoredFile> {
  try {
    return await storeInTurn(ctx, storeId, { name, size: spool.size }, () => readFile(spool.path));
  } finally {
    await spool.dispose();
  }
}
