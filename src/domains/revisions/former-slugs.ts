import {
  findPage,
  foldSlug,
  hasSlug,
  parentOf,
  ROOT,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { insertFormerSlugs, listFormerParents } from './former-slugs-store.ts';

/** The place that a page left: below a page, or `ROOT`, under a folded slug. */
export interface FormerSlug {
  readonly parent: string;
  readonly slug: string;
  readonly page: string;
  readonly createdAt: number;
}

function placeOf(tree: Tree, id: string): FormerSlug | undefined {
  const page = findPage(tree, id);
  return page && hasSlug(page)
    ? {
        parent: parentOf(tree, id) ?? ROOT,
        slug: foldSlug(page.slug),
        page: id,
        createdAt: page.createdAt ?? 0,
      }
    : undefined;
}

/** Remembers the addresses that pages leave: those of renamed and moved pages. Pages below them are found through them. */
export async function rememberSlugs(
  db: Database,
  spaceId: string,
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
): Promise<void> {
  const moved: FormerSlug[] = [];
  const deleted = new Map<string, FormerSlug>();
  for (const id of changed.keys()) {
    const [then, now] = [placeOf(before, id), placeOf(after, id)];
    if (then && !now) deleted.set(id, then);
    else if (then && now && (then.parent !== now.parent || then.slug !== now.slug)) moved.push(then);
  }
  await insertFormerSlugs(db, spaceId, moved);
  if (deleted.size === 0) return;
  // The address of a deleted page is the beginning of those of pages that have left it.
  const kept = new Map<string, FormerSlug>();
  for (const parent of await listFormerParents(db, spaceId, [...deleted.keys()]))
    for (let at = deleted.get(parent); at && !kept.has(at.page); at = deleted.get(at.parent))
      kept.set(at.page, at);
  await insertFormerSlugs(db, spaceId, [...kept.values()]);
}
