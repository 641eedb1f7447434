import type { Context } from '../../../platform/api/context.ts';
import { badRequest, notFound } from '../../../platform/api/errors.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import { spool, type Spool } from '../../../platform/spool.ts';
import type { Batch, NewFile } from '../edit/batch.ts';
import type { ContentRow } from '../../revisions/index.ts';
import { decodeBase64 } from './decode-base64.ts';
import { MAX_FILE, storeBytes, type StoredFile } from './store-bytes.ts';
import { storeAgain, storeSpool } from './store-large.ts';
import { findUpload } from './store.ts';

const FETCH_MS = 20_000;

/** The stored files of a batch, in the order of its changes. */
export type StoredFiles = readonly StoredFile[];

/** Judged by the bytes of a batch: they contain the word, or an escape that may spell a letter of it. */
export const mayInsertFiles = (bytes: Buffer): boolean =>
  bytes.includes('insert_files') || /\\u00[4-7]/i.test(bytes.toString('latin1'));

/**
 * Stores the bytes of all files that a batch inserts, before it is applied: stored bytes alone are visible to no one.
 */
export async function storeFilesOf(ctx: Context, row: ContentRow, { changes }: Batch): Promise<StoredFiles> {
  const stored: StoredFile[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_files') continue;
    for (const [at, file] of change.files.entries()) {
      const path = `body.changes.${index}.files.${at}`;
      stored.push(await storeFile(ctx, row.store_id, file, path));
    }
  }
  return stored;
}

async function storeFile(ctx: Context, storeId: string, file: NewFile, path: string): Promise<StoredFile> {
  const given = [file.base64, file.url, file.upload].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw badRequest(`${path}: send exactly one of base64, url and upload.`, [
      { path, rule: 'must have exactly one of base64, url and upload' },
    ]);
  }
  const { name } = file;
  if (file.base64 !== undefined) return storeBytes(ctx, storeId, name, decoded(file.base64, path));
  if (file.url !== undefined) return storeSpool(ctx, storeId, name, await fetched(ctx, file.url, path));
  return storeUploaded(ctx, storeId, name, file.upload ?? '', path);
}

function decoded(base64: string, path: string): Buffer {
  const bytes = decodeBase64(base64);
  if (!bytes) {
    throw badRequest(`${path}.base64: is not valid base64.`, [
      { path: `${path}.base64`, rule: 'must be base64' },
    ]);
  }
  return bytes;
}

async function fetched(ctx: Context, url: string, path: string): Promise<Spool> {
  const refuse = (why: string) =>
    badRequest(`${path}.url: ${why}`, [
      { path: `${path}.url`, rule: 'must be the URL of a file that the server can download' },
    ]);
  try {
    const { status, body } = await ctx.outbound.stream(url, { maxBytes: MAX_FILE, timeoutMs: FETCH_MS });
    if (status === 200) return await spool(body, MAX_FILE);
    body.destroy();
    throw refuse(`the remote server returned ${status}.`);
  } catch (error) {
    if (error instanceof OutboundError) throw refuse(error.message);
    throw error;
  }
}

async function storeUploaded(
  ctx: Context,
  storeId: string,
  name: string,
  key: string,
  path: string,
): Promise<StoredFile> {
  const unknown = () => notFound(`Upload "${key}" (${path}.upload)`);
  const upload = await findUpload(ctx.db, ctx.caller.id, key);
  if (!upload) throw unknown();
  const stored = await storeAgain(ctx, storeId, name, upload);
  if (!stored) throw unknown();
  return stored;
}
