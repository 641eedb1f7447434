import type { Tree } from '../../content-engine/tree/index.ts';
import { addToList } from '../../content-engine/add-to-list.ts';
import type { Database } from '../../platform/database/connection.ts';
import { kindOf } from './affected-links.ts';
import type { LinkChanges } from './index-links.ts';
import { placeOf } from './compare-links.ts';
import { listIncludes, readAnchors, type Include } from './overlay-store.ts';
import type { LinkRow } from './schema.ts';

/** Includes by their sources or by their reusable contents. */
type FindIncludes = (by: 'source_id' | 'target_id', ids: readonly string[]) => Promise<Include[]>;

const isInclude = ({ relation, kind, target_space_id: space }: LinkRow): boolean =>
  relation === 'dependsOn' && kind === 'reusable-content' && space === null;

/** The stored includes of a space, after changes of its links. */
function includesAfter(
  db: Database,
  spaceId: string,
  { difference: { removed, added } }: LinkChanges,
): FindIncludes {
  const gone = new Set(removed.filter(isInclude).map(placeOf));
  const fresh = added.filter(isInclude);
  return async (by, ids) => {
    if (ids.length === 0) return [];
    const wanted = new Set<string | null>(ids);
    const stored = await listIncludes(db, spaceId, by, ids);
    return [
      ...stored.filter((row) => !gone.has(placeOf(row))),
      ...fresh.filter((row) => wanted.has(row[by])),
    ];
  };
}

/** Calls `next` with the ids that it returned before, until there are no new ones. Cycles end. */
async function follow(
  start: Iterable<string>,
  next: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<Set<string>> {
  const reached = new Set(start);
  for (let ids = [...reached]; ids.length > 0;) {
    const found = new Set(await next(ids));
    ids = [...found].filter((id) => !reached.has(id));
    for (const id of ids) reached.add(id);
  }
  return reached;
}

/** Entries whose anchors, own or included, may be other ones after the changes. */
export async function findChangedAnchors(
  db: Database,
  spaceId: string,
  changes: LinkChanges,
): Promise<Set<string>> {
  const includes = includesAfter(db, spaceId, changes);
  return follow(changes.anchorsOf, async (ids) =>
    (await includes('target_id', ids)).map(({ source_id: id }) => id),
  );
}

export type HasAnchor = (id: string, anchor: string) => boolean;

/** Which anchors entries have after the changes: own ones, and those of what they include, directly or through others. */
export async function anchorsAfter(
  db: Database,
  spaceId: string,
  after: Tree,
  changes: LinkChanges,
  ids: Iterable<string>,
): Promise<HasAnchor> {
  const includes = includesAfter(db, spaceId, changes);
  const included = new Map<string, string[]>();
  const reached = await follow(ids, async (some) => {
    const found = (await includes('source_id', some)).flatMap(({ source_id: source, target_id: id }) =>
      id !== null && kindOf(after, id) === 'reusable-content' ? [{ source, id }] : [],
    );
    for (const { source, id } of found) addToList(included, source, id);
    return found.map(({ id }) => id);
  });
  const anchors = await readAnchors(db, spaceId, [...reached]);
  for (const entry of changes.entries) anchors.set(entry.entry_id, entry.anchors);
  const setOf = memoised((id) => new Set(anchors.get(id)));
  const reachableFrom = memoised((id) => reachableEntries(id, included));
  // Null: unknown, so that every anchor counts as present. The sets of included contents are shared, not copied.
  return (id, anchor) =>
    reachableFrom(id).some((each) => anchors.get(each) === null || setOf(each).has(anchor));
}

function memoised<T>(compute: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    let value = known.get(id);
    if (value === undefined) known.set(id, (value = compute(id)));
    return value;
  };
}

/** An entry, and what it includes, directly or through others. */
function reachableEntries(entry: string, included: ReadonlyMap<string, readonly string[]>): string[] {
  const visited = new Set([entry]);
  // A set that grows while it is iterated: the loop reaches the added ids, too.
  for (const id of visited) for (const below of included.get(id) ?? []) visited.add(below);
  return [...visited];
}
