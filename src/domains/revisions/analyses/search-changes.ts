import {
  descendantsOf,
  findPage,
  isPage,
  pathsIn,
  type ContentRecord,
  type DocumentPage,
  type Tree,
  type TreePaths,
} from '../../../content-engine/tree/index.ts';
import type { IndexedPage } from '../../search-index/index.ts';
import type { Analyses } from '../../content-store/index.ts';

/** What to update in the search index for a new revision: changed pages, and pages below a page whose path changed. */
export function searchChanges(
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
  analyses: Analyses,
): { changed: IndexedPage[]; removed: string[] } {
  const [pathsBefore, pathsAfter] = [pathsIn(before), pathsIn(after)];
  const touched = new Set<string>();
  for (const [id, record] of changed) {
    if (!isPage(record ?? before.records.get(id))) continue;
    touched.add(id);
    if (record && findPage(before, id) && pathsBefore.slugsOf(id) !== pathsAfter.slugsOf(id)) {
      for (const below of descendantsOf(after, id)) touched.add(below);
    }
  }
  const pages = [...touched].flatMap((id) => {
    const now = searchable(after, id);
    return now ? indexedPage(pathsAfter, now, searchable(before, id), analyses) : [];
  });
  const removed = [...touched].filter((id) => searchable(before, id) && !searchable(after, id));
  return { changed: pages, removed };
}

/** Pages with `noIndex` are not searchable. */
function searchable(tree: Tree, id: string): DocumentPage | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' && !page.noIndex ? page : undefined;
}

function indexedPage(
  paths: TreePaths,
  page: DocumentPage,
  old: DocumentPage | undefined,
  analyses: Analyses,
): IndexedPage {
  const { id, title, label, description, document } = page;
  const head = { id, title, label, description, path: paths.slugsOf(id) ?? '' };
  const analysis = old?.document === document ? undefined : analyses.get(document);
  return analysis ? { ...head, readSections: () => analysis.sections } : head;
}
