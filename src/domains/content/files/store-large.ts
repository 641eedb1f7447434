import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { hashFromBytes, type Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Spool } from '../../../platform/spool.ts';
import { describeHead, storageName, storeContents, type StoredFile } from './store-bytes.ts';

/** Type and dimensions of a file are found in its beginning: the rest is never in memory. */
const HEAD = 1024 * 1024;

type StoreContext = Pick<Context, 'db' | 'files'>;

interface LargeFile {
  readonly hash: Hash;
  readonly size: number;
  /** Opens the file at its first byte, for all bytes or `bytes` of them. */
  readonly open: (bytes?: number) => Promise<Readable>;
}

/** Stores a temporary file, which is deleted in any case. */
export async function storeSpool(
  ctx: StoreContext,
  storeId: string,
  name: string,
  { path, size, dispose }: Spool,
): Promise<StoredFile> {
  const open = (bytes = size) => Promise.resolve(createReadStream(path, { end: bytes - 1 }));
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return await storeLarge(ctx, storeId, name, { hash: hashFromBytes(hash.digest()), size, open });
  } finally {
    await dispose();
  }
}

/** Adds a file of file storage to an organization. Undefined if it is not there. */
export async function storeAgain(
  ctx: StoreContext,
  storeId: string,
  name: string,
  { hash, size }: Pick<StoredFile, 'hash' | 'size'>,
): Promise<StoredFile | undefined> {
  if (!(await ctx.files.has(storageName(hash)))) return undefined;
  const open = async (bytes = size) => {
    const opened = await ctx.files.open(storageName(hash), { start: 0, end: bytes - 1 });
    if (!opened) throw new Error(`The bytes of ${name} are not in file storage`);
    return opened.stream;
  };
  return storeLarge(ctx, storeId, name, { hash, size, open });
}

async function storeLarge(
  ctx: StoreContext,
  storeId: string,
  name: string,
  { hash, size, open }: LargeFile,
): Promise<StoredFile> {
  const head = size === 0 ? [] : await (await open(Math.min(size, HEAD))).toArray();
  const described = describeHead(Buffer.concat(head as Buffer[]), name, { hash, size });
  await storeContents(ctx, storeId, [
    { hash, size, open: async () => (size === 0 ? Buffer.alloc(0) : open()) },
  ]);
  return described;
}
