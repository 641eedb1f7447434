import { writeFolder } from '../../../content-engine/folder/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import { referencesOf } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { storageName } from '../files/store-bytes.ts';
import { findPrimary, loaderOf, rootOf, treeAt, type StorageContext } from '../../revisions/index.ts';

/** A file of an export: its path in the folder, and a stream of its bytes. */
export interface ExportedFile {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array> | readonly Uint8Array[];
}

const READ_AT_ONCE = 500;

/** The content of a space as a folder. What was imported and not changed is exported byte for byte. */
export async function* exportFolder(
  ctx: Pick<Context, 'files'> & StorageContext,
  spaceId: string,
): AsyncGenerator<ExportedFile, void, undefined> {
  const row = await findPrimary(ctx.db, spaceId);
  const load = loaderOf(ctx, row.store_id);
  const tree = await treeAt(ctx, load, rootOf(row));
  const hashes = [...new Set([...tree.records.values()].flatMap((record) => referencesOf(record).documents))];
  const texts = new Map<Hash, string>();
  for (let at = 0; at < hashes.length; at += READ_AT_ONCE) {
    const some = hashes.slice(at, at + READ_AT_ONCE);
    const bytes = await load(some);
    for (const [index, hash] of some.entries())
      texts.set(hash, Buffer.from(bytes[index] ?? []).toString('utf8'));
  }
  for (const file of writeFolder(tree, (hash) => texts.get(hash) ?? '')) {
    if ('text' in file) yield { path: file.path, content: [Buffer.from(file.text, 'utf8')] };
    else {
      const opened = await ctx.files.open(storageName(file.file));
      if (!opened) throw new Error(`The bytes of ${file.path} are not in file storage`);
      yield { path: file.path, content: opened.stream };
    }
  }
}
