import { writeFolderInSteps, type WrittenFile } from '../../../content-engine/folder/index.ts';
import type { Hash, Load } from '../../../content-engine/map/index.ts';
import { referencesOf, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { flatMapInSlices, inSlices, pauseBetweenSlices } from '../../../platform/threads/slices.ts';
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
  for (const file of await folderOf(load, await treeAt(ctx, load, rootOf(row)))) {
    if ('text' in file) yield { path: file.path, content: [Buffer.from(file.text, 'utf8')] };
    else yield { path: file.path, content: await openStored(ctx, file.path, file.file) };
  }
}

/** The files of a revision: texts, and hashes of stored files. Holds the event loop only for moments. */
export async function folderOf(load: Load, tree: Tree): Promise<readonly WrittenFile[]> {
  const references = await flatMapInSlices(
    [...tree.records.values()],
    (record) => referencesOf(record).documents,
  );
  const hashes = [...new Set(references)];
  const texts = new Map<Hash, string>();
  const pause = pauseBetweenSlices();
  for (let at = 0; at < hashes.length; at += READ_AT_ONCE) {
    const some = hashes.slice(at, at + READ_AT_ONCE);
    const bytes = await load(some);
    for (const [index, hash] of some.entries())
      texts.set(hash, Buffer.from(bytes[index] ?? []).toString('utf8'));
    await pause();
  }
  return inSlices(writeFolderInSteps(tree, (hash) => texts.get(hash) ?? ''));
}

/** The bytes of a file of a revision. `path` is for the message. */
export async function openStored(
  { files }: Pick<Context, 'files'>,
  path: string,
  hash: Hash,
): Promise<AsyncIterable<Uint8Array>> {
  const opened = await files.open(storageName(hash));
  if (!opened) throw new Error(`The bytes of ${path} are not in file storage`);
  return opened.stream;
}
