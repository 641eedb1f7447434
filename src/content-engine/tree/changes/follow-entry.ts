import { expandedPages, hasGeneratedPlace } from '../expansions.ts';
import { childrenOf, findPage, parentOf } from '../lookup.ts';
import { fillPositions } from '../position-keys.ts';
import type { ComputedPage, DocumentPage } from '../records.ts';
import { foldSlug, ROOT, slugKey, type Tree } from '../tree.ts';
import { uniqueSlug } from '../names/slug.ts';
import { compact } from './batch.ts';

/** The pages of a moved entry follow it, except those that were moved elsewhere and those that the entry is now below. */
export function followEntry(tree: Tree, before: ComputedPage, after: ComputedPage): DocumentPage[] {
  const above = new Set<string>();
  for (let id = after.parent; id !== undefined; id = parentOf(tree, id)) above.add(id);
  const pages = (expandedPages(tree).get(before.id) ?? [])
    .filter((page) => page.parent === before.parent && hasGeneratedPlace(page) && !above.has(page.id))
    .toSorted((a, b) => (a.position < b.position ? -1 : 1));
  const moving = new Set([before.id, ...pages.map(({ id }) => id)]);
  const next = childrenOf(tree, after.parent).find(
    (id) => !moving.has(id) && (findPage(tree, id)?.position ?? '') > after.position,
  );
  const high = next === undefined ? null : (findPage(tree, next)?.position ?? null);
  const positions = fillPositions(
    pages.map(() => undefined),
    after.position,
    high,
  );
  if (positions === undefined) return [];
  const taken = new Set<string>();
  return pages.map((page, index) => {
    const level = after.parent ?? ROOT;
    const isTaken = (folded: string) => {
      const owner = tree.slugs.get(slugKey(level, folded));
      return taken.has(folded) || (owner !== undefined && !moving.has(owner));
    };
    const slug = uniqueSlug(page.slug, isTaken, { isAtRoot: level === ROOT });
    taken.add(foldSlug(slug));
    const place = { parent: after.parent, position: positions[index] ?? page.position };
    const { generated } = page;
    return compact({
      ...page,
      ...place,
      slug,
      ...(generated && {
        generated: compact({ ...generated, ...place, ...(page.slug === generated.slug && { slug }) }),
      }),
    });
  });
}
