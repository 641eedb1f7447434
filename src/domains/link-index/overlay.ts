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
  const { removed, added } = changes.difference;
  const stored = await readTargets(db, spaceId, {
    keys: [...new Set([...removed, ...added].map(({ key }) => key))],
    entries: changes.flipped.map(({ id }) => id),
    anchorsOf: [...(await findChangedAnchors(db, spaceId, changes))],
  });
  const remaining = await findRemaining(db, spaceId, changes);
  const present = presentTargets(stored, changes, remaining);
  const anchored = present.targets.flatMap(({ anchor, target_id: id, target_space_id: space }) =>
    anchor !== null && id !== null && space === null ? [id] : [],
  );
  const hasAnchor = await anchorsAfter(db, spaceId, after, changes, anchored);
  const targets = present.targets.map((target): OverlayTarget => {
    const { key, relation, kind, target_space_id, target_id, anchor, url } = target;
    const before = stored.get(key);
    return {
      key,
      relation,
      kind,
      target_space_id,
      target_id,
      anchor,
      url,
      address: before ? before.address : kind === 'url' ? addressOf(url) : null,
      broken: brokenAfter(after, target, before, hasAnchor),
      sources: present.sources.get(key) ?? 0,
      checked_at: before?.checked_at ?? null,
      problem: before?.problem ?? null,
      is_new: present.newKeys.has(key) || before?.broken === false,
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

interface PresentTargets {
  readonly targets: readonly TargetColumns[];
  /** The number of sources of each target. */
  readonly sources: ReadonlyMap<string, number>;
  readonly newKeys: ReadonlySet<string>;
}

/** The targets that still have, or now have, a source. */
function presentTargets(
  stored: ReadonlyMap<string, StoredTarget>,
  { difference: { removed, lost, gained } }: LinkChanges,
  remaining: ReadonlySet<string>,
): PresentTargets {
  const sources = new Map<string, number>();
  const add = (key: string, many: number) => sources.set(key, (sources.get(key) ?? 0) + many);
  const all = new Map<string, TargetColumns>();
  const nowGained: LinkRow[] = [];
  for (const { key, sources: many } of stored.values()) add(key, many);
  for (const row of lost) if (!remaining.has(pairOf(row))) add(row.key, -1);
  for (const row of gained) {
    all.set(row.key, row);
    if (remaining.has(pairOf(row))) continue;
    add(row.key, 1);
    nowGained.push(row);
  }
  for (const [key, target] of stored) all.set(key, target);
  const targets = [...all.values()].filter(({ key }) => (sources.get(key) ?? 0) > 0);
  return { targets, sources, newKeys: keysOfNewProblems(removed, nowGained, stored) };
}

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
