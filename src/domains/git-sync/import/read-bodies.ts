import { replaceBodies, textOf } from '../../../content-engine/folder/index.ts';
import { deriveTree, type ContentRecord } from '../../../content-engine/tree/index.ts';
import type { Repository, TreeEntry } from '../../../platform/git/index.ts';
import { MAX_PAGE } from '../../content/index.ts';
import { storeTexts } from '../../content-store/index.ts';
import type { Earlier } from './load-files.ts';
import type { ReadContent } from './commit-content.ts';
import type { Work } from '../operations/work.ts';

/** If there are more changes, or larger ones, the whole folder is read. */
const MAX_CHANGED = 50;

/**
 * The content of a commit that changed only bodies of pages, which most commits do: no other file is read. Undefined where
 * more changed.
 */
export async function readBodies(
  { ctx, log, report }: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  { tree, records, files }: Earlier,
): Promise<ReadContent | undefined> {
  if (entries.length !== files.size || entries.some(({ path }) => !files.has(path))) return undefined;
  const changed = entries.filter(({ path, oid }) => files.get(path) !== oid);
  if (changed.length > MAX_CHANGED || sumOf(changed) > MAX_PAGE) return undefined;
  const texts: { path: string; text: string; record: ContentRecord }[] = [];
  for await (const bytes of repository.readBlobs(changed.map(({ oid }) => oid))) {
    const { path } = changed[texts.length] as TreeEntry;
    const record = records.get(path);
    const text = textOf(bytes);
    if (record === undefined || text === undefined) return undefined;
    texts.push({ path, text, record });
  }
  const replaced = replaceBodies(tree, texts, ctx.now().getTime());
  if (!replaced) return undefined;
  for (const { path, message, line } of replaced.warnings) log.warn(message, path, line);
  await storeTexts(ctx.db, storeId, replaced.texts);
  report({ stage: 'content_process', completed: entries.length });
  return {
    changed: replaced.changed,
    tree: replaced.changed.size === 0 ? tree : deriveTree(tree, replaced.changed),
    analyses: replaced.analyses,
  };
}

const sumOf = (entries: readonly TreeEntry[]): number => entries.reduce((sum, { size }) => sum + size, 0);
