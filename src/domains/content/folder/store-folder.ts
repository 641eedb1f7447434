import { CONFIGURATION, contentKinds } from '../../../content-engine/folder/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { storeBytes } from '../files/store-bytes.ts';
import {
  nameOf,
  warnOfPointer,
  type FolderEntry,
  type FolderToImport,
  type StoredFolder,
  type StoreOptions,
} from './folder-to-import.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { storeAssets } from './store-assets.ts';

type StoreContext = Pick<Context, 'db' | 'files'>;

/** SUMMARY.md with some 40,000 entries. Without its structure, the next export would replace it. */
const MAX_SETTING = 4 * 1024 * 1024;

/** A larger page is stored as a file: parsing it would take minutes. */
export const MAX_PAGE = 8 * 1024 * 1024;

/** Files between two reports. */
const REPORTED = 100;

/** Stores the files of a folder, except its settings. Of Markdown, the bodies are stored. */
export async function storeFolder<E extends FolderEntry>(
  ctx: StoreContext,
  storeId: string,
  folder: FolderToImport<E>,
  options: StoreOptions<E>,
): Promise<StoredFolder> {
  const { entries, read } = folder;
  const { warn, analysisOf, report } = options;
  const kindOf = contentKinds(await readConfiguration(folder));
  for (const { path, size } of entries) {
    const kind = kindOf(path, size);
    if (kind === 'setting' && size > MAX_SETTING)
      throw tooLarge(`${path} is larger than 4 MB. Nothing was imported; split the space into several.`);
    if (kind !== 'file' && size > MAX_PAGE) warn(path, 'Larger than 8 MB: imported as a file, not as a page');
  }
  const isText = ({ path, size }: E) => size <= MAX_PAGE && kindOf(path, size) !== 'file';
  const assets = { entries: entries.filter((entry) => !isText(entry)), read };
  const files = await storeAssets(ctx, storeId, assets, options);
  const reader = new MarkdownReader({ db: ctx.db, storeId, previous: options.previous, warn });
  const texts = entries.filter(isText);
  let index = 0;
  for await (const bytes of read(texts)) {
    const entry = texts[index++] as E;
    const { path, size } = entry;
    warnOfPointer(warn, path, bytes);
    const kind = kindOf(path, size);
    if (kind === 'page' || kind === 'include') {
      const markdown = await reader.read(path, kind, bytes, analysisOf?.(entry));
      if (!markdown) warn(path, 'Not UTF-8: imported as a file');
      files.push(markdown ?? { path, stored: await storeBytes(ctx, storeId, nameOf(path), bytes) });
    } else files.push({ path, bytes });
    if (index % REPORTED === 0) report?.(files.length);
  }
  report?.(files.length);
  const readAgain = (paths: readonly string[]) => {
    const wanted = new Set(paths);
    return read(entries.filter(({ path }) => wanted.has(path)));
  };
  return { files, analyses: await reader.finish(), readAgain };
}

async function readConfiguration<E extends FolderEntry>({
  entries,
  read,
}: FolderToImport<E>): Promise<Uint8Array | undefined> {
  const configuration = entries.filter(({ path, size }) => path === CONFIGURATION && size <= MAX_SETTING);
  for await (const bytes of read(configuration)) return bytes;
  return undefined;
}
