import type { Tree } from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { anchorsAfter, findChangedAnchors, type HasAnchor } from './anchors.ts';
import { pairOf, placeOf } from './compare-links.ts';
import { isBroken, type LinkChanges } from './index-links.ts';
import { addressOf } from './link-row.ts';
import { listLinksOfPairs, readTargets } from './overlay-store.ts';
import type { LinkRow, StoredTarget, TargetColumns } from './schema.ts';

/** A target in another version of the content. */
export interface OverlayTarget extends StoredTarget {
  /** Whether the version causes the problem if the target is broken: the link is new, or was not broken before. */
  readonly is_new: boolean;
}

/** What another version of the content replaces in the stored links of a space. */
export interface LinkOverlay {
  /** Keys of targets that the stored rows do not describe any more. */
  readonly keys: readonly string[];
  /** The rows instead of them. */
  readonly targets: readonly OverlayTarget[];
  readonly removed: readonly LinkRow[];
  readonly added: readonly LinkRow[];
  /** To add to the counts of the space. */
  readonly targetCount: number;
  readonly brokenCount: number;
}

/** The stored links as `indexLinks` would leave them. Nothing is written. */
export async function overlayOf(
  db: Database,
  spaceId: string,
  after: Tree,
  changes: LinkChanges,
): Promise<LinkOverlay> {
  const { removed, added, lost, gained } = changes.difference;
  const stored = await readTargets(db, spaceId, {
    keys: [...new Set([...removed, ...added].map(({ key }) => key))],
    entries: changes.flipped.map(({ id }) => id),
    anchorsOf: [...(await findChangedAnchors(db, spaceId, changes))],
  });
  const remaining = await findRemaining(db, spaceId, changes);
  const isChanged = (row: LinkRow): boolean => !remaining.has(pairOf(row));
  const [nowLost, nowGained] = [lost.filter(isChanged), gained.filter(isChanged)];
  const sources = countSources(stored.values(), nowLost, nowGained);
  const all = new Map<string, TargetColumns>([...gained.map((row) => [row.key, row] as const), ...stored]);
  const present = [...all.values()].filter(({ key }) => (sources.get(key) ?? 0) > 0);
  const anchored = present.flatMap(({ anchor, target_id: id, target_space_id: space }) =>
    anchor !== null && id !== null && space === null ? [id] : [],
  );
  const hasAnchor = await anchorsAfter(db, spaceId, after, changes, anchored);
  const newKeys = keysOfNewProblems(removed, nowGained, stored);
  const targets = present.map((target): OverlayTarget => {
    const { key } = target;
    const before = stored.get(key);
    return {
      ...columnsOf(target),
      address: before ? before.address : target.kind === 'url' ? addressOf(target.url) : null,
      broken: brokenAfter(after, target, before, hasAnchor),
      sources: sources.get(key) ?? 0,
      checked_at: before?.checked_at ?? null,
      problem: before?.problem ?? null,
      is_new: newKeys.has(key) || before?.broken === false,
    };
  });
  return {
    keys: [...stored.keys()],
    targets,
    removed,
    added,
    targetCount: targets.length - stored.size,
    brokenCount: countBroken(targets) - countBroken(stored.values()),
  };
}

const columnsOf = ({ key, relation, kind, target_space_id, target_id, anchor, url }: TargetColumns) => ({
  key,
  relation,
  kind,
  target_space_id,
  target_id,
  anchor,
  url,
});

/** Pairs of source and target that rows besides the changed ones have, so that they are neither lost nor gained. */
async function findRemaining(
  db: Database,
  spaceId: string,
  { difference: { removed, lost, gained } }: LinkChanges,
): Promise<Set<string>> {
  const gone = new Set(removed.map(placeOf));
  const rows = await listLinksOfPairs(db, spaceId, [...lost, ...gained]);
  return new Set(rows.filter((row) => !gone.has(placeOf(row))).map(pairOf));
}

/** The number of sources of each target. */
function countSources(
  stored: Iterable<StoredTarget>,
  lost: readonly LinkRow[],
  gained: readonly LinkRow[],
): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string, many: number) => counts.set(key, (counts.get(key) ?? 0) + many);
  for (const { key, sources } of stored) add(key, sources);
  for (const { key } of lost) add(key, -1);
  for (const { key } of gained) add(key, 1);
  return counts;
}

/** Null: outside of the space, decided when it is read. A URL is broken if its last check found that. */
function brokenAfter(
  after: Tree,
  target: TargetColumns,
  before: StoredTarget | undefined,
  hasAnchor: HasAnchor,
): boolean | null {
  if (target.kind === 'url') return before?.broken ?? isBroken(after, target);
  const isAbsent = isBroken(after, target);
  if (isAbsent !== false || target.anchor === null) return isAbsent;
  return !hasAnchor(target.target_id ?? '', target.anchor);
}

/** Targets of new links. A link that was broken and is broken under another name, such as a moved page's, is not new. */
function keysOfNewProblems(
  removed: readonly LinkRow[],
  gained: readonly LinkRow[],
  stored: ReadonlyMap<string, StoredTarget>,
): Set<string> {
  const hrefIn = ({ source_id: source, href }: LinkRow): string => `${source} ${href}`;
  const wasBroken = ({ href, key }: LinkRow): boolean => href !== null && stored.get(key)?.broken === true;
  const before = new Set(removed.filter(wasBroken).map(hrefIn));
  return new Set(gained.filter((row) => !before.has(hrefIn(row))).map(({ key }) => key));
}

function countBroken(targets: Iterable<StoredTarget>): number {
  let count = 0;
  for (const { broken } of targets) if (broken) count++;
  return count;
}
