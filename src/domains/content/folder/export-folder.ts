import type { Hash } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { loaderOf, rootOf, treeAt, type StorageContext } from '../../content-store/index.ts';
import { findPrimary } from '../../revisions/index.ts';
import { storageName } from '../files/store-bytes.ts';
import { folderOf } from './folder-files.ts';

/** A file of an export: its path in the folder, and a stream of its bytes. */
export interface ExportedFile {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array> | readonly Uint8Array[];
}

/** The content of a space as a folder. What was imported and not changed is exported byte for byte. */
export async function* exportFolder(
  ctx: Pick<Context, 'files'> & StorageContext,
  spaceId: string,
): AsyncGenerator<ExportedFile, void, undefined> {
  const row = await findPrimary(ctx.db, spaceId);
  const load = loaderOf(ctx, row.store_id);
  const tree = await treeAt(ctx, load, rootOf(row));
  const { files } = await folderOf({ load, tree, isFront: ctx.isFront });
  for await (const file of files) {
    if ('text' in file) yield { path: file.path, content: [Buffer.from(file.text, 'utf8')] };
    else yield { path: file.path, content: await openStored(ctx, file.path, file.file) };
  }
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
