import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Database } from '../../../platform/database/connection.ts';

/** Object ids of the files that the last synchronization saw, by their paths in the directory of the space. */
export type ManagedFiles = ReadonlyMap<string, string>;

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

/** One column instead of a row per file: they are always read and written together. */
export const packFiles = (files: ManagedFiles): Buffer =>
  brotliCompressSync(JSON.stringify([[...files.keys()], [...files.values()].join(' ')]), FAST);

export function unpackFiles(packed: Uint8Array): ManagedFiles {
  const [paths, ids] = JSON.parse(brotliDecompressSync(packed).toString()) as [string[], string];
  const list = ids.split(' ');
  return new Map(paths.map((path, index) => [path, list[index] ?? '']));
}

/** The last content that a space and a branch had in common: of several branches, the one that was synchronized last. */
export async function findSynchronized(db: Database, spaceId: string) {
  return db
    .selectFrom('git_states as state')
    .innerJoin('revisions as rv', 'rv.id', 'state.revision_id')
    .select(['state.content_directory as directory', 'state.files', 'rv.root'])
    .where('state.space_id', '=', spaceId)
    .orderBy('state.updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
