import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest, notFound } from '../../../platform/api/errors.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import { inSlices } from '../../../platform/threads/slices.ts';
import type { Batch, NewFile } from '../edit/batch.ts';
import type { ContentRow } from '../../revisions/index.ts';
import { decodeBase64 } from './decode-base64.ts';
import { MAX_FILE, storageName, storeBytes, type StoredFile } from './store-bytes.ts';
import { findUpload } from './store.ts';

const FETCH_MS = 20_000;

/** The stored files of a batch, in the order of its changes. */
export type StoredFiles = readonly StoredFile[];

export const insertsFiles = ({ changes }: Batch): boolean =>
  changes.some(({ operation }) => operation === 'insert_files');

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
      stored.push(await storeBytes(ctx, row.store_id, file.name, await bytesOf(ctx, file, path)));
    }
  }
  return stored;
}

async function bytesOf(ctx: Context, file: NewFile, path: string): Promise<Buffer> {
  const given = [file.base64, file.url, file.upload].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw badRequest(`${path}: send exactly one of base64, url and upload.`, [
      { path, rule: 'must have exactly one of base64, url and upload' },
    ]);
  }
  if (file.base64 !== undefined) return decoded(file.base64, path);
  if (file.url !== undefined) return fetched(ctx, file.url, path);
  return uploaded(ctx, file.upload ?? '', path);
}

async function decoded(base64: string, path: string): Promise<Buffer> {
  const bytes = await inSlices(decodeBase64(base64));
  if (!bytes) {
    throw badRequest(`${path}.base64: is not valid base64.`, [
      { path: `${path}.base64`, rule: 'must be base64' },
    ]);
  }
  return bytes;
}

async function fetched(ctx: Context, url: string, path: string): Promise<Buffer> {
  const refuse = (why: string) =>
    badRequest(`${path}.url: ${why}`, [
      { path: `${path}.url`, rule: 'must be the URL of a file that the server can download' },
    ]);
  try {
    const answer = await ctx.outbound.fetch(url, { maxBytes: MAX_FILE, timeoutMs: FETCH_MS });
    if (answer.status !== 200) throw refuse(`the remote server returned ${answer.status}.`);
    return answer.body;
  } catch (error) {
    if (error instanceof OutboundError) throw refuse(error.message);
    throw error;
  }
}

async function uploaded(ctx: Context, key: string, path: string): Promise<Buffer> {
  const hash = await findUpload(ctx.db, ctx.caller.id, key);
  const file = hash && (await ctx.files.open(storageName(hash)));
  if (!file) throw notFound(`Upload "${key}" (${path}.upload)`);
  return buffer(file.stream);
}
