import {
  deriveTree,
  expandedPages,
  findPage,
  foldSlug,
  isPage,
  ROOT,
  settleOrphans,
  slugKey,
  uniqueSlug,
  hasSlug,
  type ContentRecord,
  type DocumentPage,
  type Tree,
} from '../../tree/index.ts';

/**
 * The records of a folder, with the generated pages that it does not mention. Most have no file, and a folder that does not
 * mention a page says nothing about it: they stay, with what people have written. A later expansion moves them to where
 * their entry is. Of an entry that the folder no longer has, edited ones stay, as ordinary pages.
 */
export function withExpansions(
  previous: Tree | undefined,
  records: readonly ContentRecord[],
): ContentRecord[] {
  if (previous === undefined) return [...records];
  const byId = new Map(records.map((record) => [record.id, record]));
  const taken = new Set(
    records.flatMap((record) =>
      isPage(record) && hasSlug(record) ? [slugKey(record.parent ?? ROOT, record.slug)] : [],
    ),
  );
  const kept = new Map<string, DocumentPage>();
  const hasEntry = (entryId: string | undefined): boolean => {
    const entry = byId.get(entryId ?? '');
    return isPage(entry) && entry.type === 'computed';
  };
  const gone = new Map<string, null>();
  for (const [entryId, pages] of expandedPages(previous)) {
    if (!hasEntry(entryId)) gone.set(entryId, null);
    else for (const page of pages) if (!byId.has(page.id)) kept.set(page.id, page);
  }
  const orphans = gone.size === 0 ? [] : settleOrphans(deriveTree(previous, gone));
  for (const [id, page] of orphans) if (page !== null && !byId.has(id)) kept.set(id, page);
  const isThere = (id: string | undefined) => id === undefined || kept.has(id) || byId.has(id);
  const all = records.map((record) => {
    if (!('generated' in record) || hasEntry(record.generated?.entry)) return record;
    const { generated: _generated, ...usual } = record;
    return usual;
  });
  for (const page of kept.values()) all.push(placed(page));
  return all;

  function placed(page: DocumentPage): DocumentPage {
    const entry = byId.get(page.generated?.entry ?? '');
    const beside = isPage(entry) ? entry.parent : undefined;
    const isMoved =
      !isThere(page.parent) ||
      (isPage(entry) && page.parent === findPage(previous as Tree, entry.id)?.parent);
    const { parent: _parent, ...rest } = page;
    const parent = isMoved ? beside : page.parent;
    const level = parent ?? ROOT;
    const isTaken = (folded: string) => taken.has(slugKey(level, folded));
    const slug = uniqueSlug(page.slug, isTaken, { isAtRoot: level === ROOT });
    taken.add(slugKey(level, foldSlug(slug)));
    if (parent === page.parent && slug === page.slug) return page;
    return { ...rest, ...(parent === undefined ? {} : { parent }), slug };
  }
}
