import {
  expandedPages,
  findPage,
  foldSlug,
  isPage,
  ROOT,
  slugKey,
  uniqueSlug,
  hasSlug,
  type ContentRecord,
  type DocumentPage,
  type Tree,
} from '../../tree/index.ts';

/**
 * The generated pages of entries that the folder still has. Most have no file, and a folder that does not mention a page
 * says nothing about it: they stay, with what people have written. A later expansion moves them to where their entry is.
 */
export function keptExpansions(
  previous: Tree | undefined,
  records: readonly ContentRecord[],
): DocumentPage[] {
  if (previous === undefined) return [];
  const byId = new Map(records.map((record) => [record.id, record]));
  const taken = new Set(
    records.flatMap((record) =>
      isPage(record) && hasSlug(record) ? [slugKey(record.parent ?? ROOT, record.slug)] : [],
    ),
  );
  const kept = new Map<string, DocumentPage>();
  for (const [entryId, pages] of expandedPages(previous)) {
    const entry = byId.get(entryId);
    if (entry?.kind !== 'page' || entry.type !== 'computed') continue;
    for (const page of pages) if (!byId.has(page.id)) kept.set(page.id, page);
  }
  const isThere = (id: string | undefined) => id === undefined || kept.has(id) || byId.has(id);
  return [...kept.values()].map((page) => {
    const entry = byId.get(page.generated?.entry ?? '');
    const beside = isPage(entry) ? entry.parent : undefined;
    const isMoved =
      !isThere(page.parent) || page.parent === findPage(previous, page.generated?.entry ?? '')?.parent;
    const { parent: _parent, ...rest } = page;
    const parent = isMoved ? beside : page.parent;
    const level = parent ?? ROOT;
    const isTaken = (folded: string) => taken.has(slugKey(level, folded));
    const slug = uniqueSlug(page.slug, isTaken, { isAtRoot: level === ROOT });
    taken.add(slugKey(level, foldSlug(slug)));
    if (parent === page.parent && slug === page.slug) return page;
    return { ...rest, ...(parent === undefined ? {} : { parent }), slug };
  });
}
