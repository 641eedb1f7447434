import {
  buildTree,
  childrenOf,
  findFile,
  findPage,
  walkPages,
  type ContentRecord,
  type PageRecord,
  type Tree,
  pagesAbove,
} from '../../../content-engine/tree/index.ts';
import type { OpenSpace } from '../../../site/read/pages/open-space.ts';

interface Visible {
  /** Beside the pages that the site lists: of these, those that the visitor may read. */
  readonly pageIds: readonly (string | undefined)[];
  readonly linkIds: ReadonlySet<string>;
  readonly fileIds?: Iterable<string>;
}

/**
 * The tree of a space as its visitor sees it: with these links and files only, and without groups in which they see nothing.
 * Without conditions and variables, which pages show only by their effect.
 */
export const visibleTree = (space: OpenSpace, visible: Visible): Tree => buildTree(recordsOf(space, visible));

function recordsOf({ tree, pages }: OpenSpace, { pageIds, linkIds, fileIds = [] }: Visible): ContentRecord[] {
  const named = new Set<string>();
  for (const id of pageIds)
    if (id !== undefined && pages.mayRead(id))
      for (const each of [id, ...pagesAbove(tree, id).map((above) => above.id)]) named.add(each);
  const isVisible = (id: string): boolean => {
    const page = pages.isListed(id) || named.has(id) ? findPage(tree, id) : undefined;
    if (page?.type === 'link') return linkIds.has(id);
    return page?.type === 'group' ? childrenOf(tree, id).some(isVisible) : page !== undefined;
  };
  const shown = Array.from(walkPages(tree), ({ page }) => page).filter(({ id }) => isVisible(id));
  return [...shown.map(bare), ...Array.from(fileIds).flatMap((id) => findFile(tree, id) ?? [])];
}

function bare(page: PageRecord): PageRecord {
  const { condition: _, ...shown } = page;
  if (shown.type !== 'document') return shown as PageRecord;
  const { variables: _variables, source: _source, ...document } = shown;
  return document;
}
