import type { Database } from '../../platform/database/connection.ts';
import { placeOf } from './compare-links.ts';
import type { LinkRow } from './schema.ts';
import { readForUpdate, type Lookup, type StoredLinks } from './store.ts';

/** Items of each kind in one statement. The event loop reads its rows in one turn, of which there are several per item. */
const MAX_ITEMS = 500;

/** `readForUpdate` for thousands of items. */
export async function readInPortions(
  db: Database,
  spaceId: string,
  lookup: Lookup,
): Promise<StoredLinks | undefined> {
  const [first = lookup, ...others] = portionsOf(lookup);
  const found = await readForUpdate(db, spaceId, first);
  if (found === undefined || others.length === 0) return found;
  const links = new Map<string, LinkRow>();
  const anchors = new Map(found.anchors);
  for (const row of found.rows) links.set(placeOf(row), row);
  for (const portion of others) {
    const more = await readForUpdate(db, spaceId, portion);
    if (more === undefined) return undefined;
    for (const row of more.rows) links.set(placeOf(row), row);
    for (const [id, own] of more.anchors) anchors.set(id, own);
  }
  return { rows: [...links.values()], anchors };
}

/** The lookup in parts for one statement each. A small one, or an empty one, is one part. */
export function* portionsOf(lookup: Lookup): Iterable<Lookup> {
  const { sources, rebased, names, flipped } = lookup;
  const longest = Math.max(sources.length, rebased.length, names.length, flipped.length);
  for (let at = 0; at === 0 || at < longest; at += MAX_ITEMS) {
    const part = (items: readonly string[]) => items.slice(at, at + MAX_ITEMS);
    yield { sources: part(sources), rebased: part(rebased), names: part(names), flipped: part(flipped) };
  }
}
