import { graft, type Dropped } from '../../../content-engine/folder/index.ts';
import {
  findPage,
  isPage,
  sourceOf,
  type Tree,
  MAX_DEPTH,
  depthOf,
  hasSlug,
} from '../../../content-engine/tree/index.ts';
import { badRequest, conflict, notFound } from '../../../platform/api/errors.ts';
import type { Content } from '../../content-store/index.ts';
import type { PreparedImport } from './prepare-folder.ts';
import type { Skipped } from './imported-folder.ts';
import type { Counts, ImportedPage } from '../runs/store.ts';

/** A prepared import on top of a revision: not yet written. */
export interface AddedImport extends Content, Counts {
  readonly analyses: PreparedImport['analyses'];
  readonly skippedList: readonly Skipped[];
  readonly pages: readonly ImportedPage[];
}

/** Adds an import to the present content, whatever it is: only new records are added, so that no edit conflicts with it. */
export function addPrepared(
  { tree, store_id: storeId }: { readonly tree: Tree; readonly store_id: string },
  pageId: string | undefined,
  prepared: PreparedImport,
  now: Date,
): AddedImport {
  if (storeId !== prepared.storeId)
    throw conflict('The space was transferred to another organization during the import. Import it again.');
  requireParent(tree, pageId);
  const { records, sources, analyses } = prepared;
  const { changed, tree: next, dropped } = graft(tree, records, { parent: pageId, now: now.getTime() });
  const notAdded = dropped.flatMap((each) => skippedOf(each, sources) ?? []);
  const droppedFiles = dropped.filter((each) => 'path' in each && sources.has(each.path)).length;
  return {
    changed,
    tree: next,
    texts: new Map(),
    analyses,
    found: prepared.found + notAdded.length - droppedFiles,
    imported: prepared.imported - droppedFiles,
    skipped: prepared.skippedCount + notAdded.length,
    skippedList: [...notAdded, ...prepared.skipped],
    pages: records.filter(isPage).map((page) => {
      const source = sources.get(sourceOf(page) ?? '');
      return { id: page.id, ...(source !== undefined && { sourceURL: source }) };
    }),
  };
}

/** Settings of the folder are not counted as resources. */
function skippedOf(dropped: Dropped, sources: ReadonlyMap<string, string>): Skipped | undefined {
  if ('variable' in dropped) return { source: `variable ${dropped.variable}`, reason: dropped.reason };
  const source = sources.get(dropped.path);
  return source === undefined ? undefined : { source, reason: dropped.reason };
}

/** The page must exist and be able to contain pages. */
export function requireParent(tree: Tree, pageId: string | undefined): void {
  if (pageId === undefined) return;
  const page = findPage(tree, pageId);
  if (!page) throw notFound(`Page "${pageId}"`);
  if (!hasSlug(page)) throw badRequest(`Page "${pageId}" is a ${page.type} and cannot contain pages.`);
  if (depthOf(tree, pageId) >= MAX_DEPTH)
    throw badRequest(`Page "${pageId}" is ${MAX_DEPTH} levels deep and cannot contain pages.`);
}
