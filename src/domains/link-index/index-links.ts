import { normalize } from '../../content-engine/normalize.ts';
import { addToList } from '../../content-engine/add-to-list.ts';
import { linkResolver, outgoingLinks, type BodyHrefs } from '../../content-engine/links/index.ts';
import { isSame, type Hash } from '../../content-engine/map/index.ts';
import type { ContentRecord, LinkTable, Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { Database } from '../../platform/database/connection.ts';
import { affectedBy, kindOf, type AffectedLinks, type RecordChanges } from './affected-links.ts';
import { compareLinks, type LinkDifference } from './compare-links.ts';
import { addressOf, bodyHrefsOf, isInside, rowOf, storable } from './link-row.ts';
import type { LinkRow, TargetColumns } from './schema.ts';
import { flipEntries, saveEntries, updateAnchors, type EntryRow, type FlippedEntry } from './entry-store.ts';
import { insertIndex } from './space-store.ts';
import * as store from './store.ts';
import type { StoredLinks } from './store.ts';

/** The facts of a body that links need. */
export interface BodyFacts extends BodyHrefs {
  readonly anchors: readonly string[];
  readonly specs: readonly string[];
}

/** What a publication changes. */
export interface ContentChange {
  readonly before: Tree;
  readonly after: Tree;
  readonly changed: RecordChanges;
  /** The facts of new bodies, by their hashes. */
  readonly facts: ReadonlyMap<Hash, BodyFacts>;
  /** Reads the link table of a record. */
  readonly tableOf: (record: ContentRecord) => Promise<LinkTable>;
}

/** What a change means for the stored links of a space. Nothing is written yet. */
export interface LinkChanges {
  readonly difference: LinkDifference;
  /** The rows that were read, and what they become. */
  readonly old: readonly LinkRow[];
  readonly now: readonly LinkRow[];
  readonly entries: readonly EntryRow[];
  /** Entries that came or went, with links to them. */
  readonly flipped: readonly FlippedEntry[];
  /** Entries whose anchors, own or included, may be other ones now. */
  readonly anchorsOf: readonly string[];
}

export async function linkChanges(
  ctx: Pick<Context, 'db' | 'isFront'>,
  spaceId: string,
  change: ContentChange,
): Promise<LinkChanges> {
  const { before, after, changed } = change;
  const affected = affectedBy(ctx, before, after, changed);
  const sources = [...changed.keys()].filter((id) =>
    hasOtherLinks(before.records.get(id), after.records.get(id)),
  );
  const stored = await readAffected(ctx.db, spaceId, before, sources, affected);
  requireSmall(ctx, 'items', stored.rows.length);
  const now = await newRows(ctx, change, sources, stored.rows);
  const difference = compareLinks(stored.rows, now);
  const entries = changedEntries(change, stored);
  return {
    difference,
    old: stored.rows,
    now,
    entries,
    flipped: flippedEntries(affected, stored),
    anchorsOf: entriesToCheck(affected, difference, entries, stored),
  };
}

/** Updates the rows of a space, in the transaction that publishes the change and holds the lock of the space. */
export async function indexLinks(
  ctx: Pick<Context, 'db' | 'isFront'>,
  spaceId: string,
  change: ContentChange,
): Promise<void> {
  const { db } = ctx;
  if (change.before.records.size === 0) await insertIndex(db, spaceId);
  const { difference, entries, flipped, anchorsOf } = await linkChanges(ctx, spaceId, change);
  await writeDifference(db, spaceId, change.after, difference, entries);
  if (flipped.length > 0) await flipEntries(db, spaceId, flipped);
  const keys = difference.gained.filter(({ anchor }) => anchor !== null).map(({ key }) => key);
  if (keys.length + anchorsOf.length > 0) await updateAnchors(db, spaceId, keys, anchorsOf);
}

async function readAffected(
  db: Database,
  spaceId: string,
  before: Tree,
  sources: readonly string[],
  { flipped, rebased, names }: AffectedLinks,
): Promise<StoredLinks> {
  // An empty space has no links yet.
  if (before.records.size === 0) return { rows: [], anchors: new Map() };
  return store.readForUpdate(db, spaceId, {
    sources: sources.filter((id) => before.records.has(id)),
    rebased: [...rebased],
    names: [...names],
    flipped: [...flipped.keys()],
  });
}

/** The parts of a record that its links and anchors follow from. */
const linkParts = (record: ContentRecord | undefined): unknown => {
  switch (record?.kind) {
    case 'page':
      switch (record.type) {
        case 'document':
          return [record.type, record.document, record.links ?? null, record.cover ?? null];
        case 'link':
          return [record.type, record.target];
        case 'computed':
          return [record.type, record.computed];
        case 'group':
          return [record.type];
      }
      break;
    case 'reusable-content':
      return [record.kind, record.document, record.links ?? null];
    default:
      return null;
  }
};

const hasOtherLinks = (before: ContentRecord | undefined, after: ContentRecord | undefined): boolean =>
  !isSame(linkParts(before), linkParts(after));

function rowsBySource(rows: readonly LinkRow[]): Map<string, LinkRow[]> {
  const bySource = new Map<string, LinkRow[]>();
  for (const row of rows) addToList(bySource, row.source_id, row);
  return bySource;
}

/** The rows of changed sources, and the affected rows of others, as they are in the new tree. */
async function newRows(
  ctx: Pick<Context, 'isFront'>,
  { before, after, facts, tableOf }: ContentChange,
  sources: readonly string[],
  stored: readonly LinkRow[],
): Promise<LinkRow[]> {
  const bySource = rowsBySource(stored);
  const rows: LinkRow[] = [];
  const rewritten = new Set(sources);
  for (const id of sources) {
    const record = after.records.get(id);
    if (!record) continue;
    const old = before.records.get(id);
    const document = 'document' in record ? record.document : undefined;
    const isSameBody = old !== undefined && 'document' in old && old.document === document;
    const known = document === undefined ? undefined : facts.get(document);
    const hrefs = known ?? bodyHrefsOf(isSameBody ? (bySource.get(id) ?? []) : []);
    requireSmall(ctx, 'items', rows.length + hrefs.hrefs.length);
    const links = outgoingLinks(after, record, await tableOf(record), hrefs);
    for (const link of links) rows.push(rowOf(id, link));
  }
  for (const [id, some] of bySource)
    if (!rewritten.has(id) && after.records.has(id)) rows.push(...resolveAgain(after, id, some));
  return rows;
}

/** Rows of a source whose record did not change, resolved in another tree. */
export function resolveAgain(tree: Tree, sourceId: string, rows: readonly LinkRow[]): LinkRow[] {
  const resolve = linkResolver(tree, sourceId);
  return rows.map((row) => {
    const { href, entry_kind: kind, entry_id: id, relation, ordinal } = row;
    if (href === null) return row;
    const resolved = resolve(href, kind === null || id === null ? undefined : { kind, id });
    return resolved ? rowOf(sourceId, { ...resolved, relation, ordinal, href }) : row;
  });
}

/** More anchors than this, or longer ones, are not stored: every anchor of the entry counts as present. */
const MAX_ANCHORS = 10_000;
const MAX_ANCHOR = 200;

function anchorsOf(
  record: ContentRecord,
  facts: ContentChange['facts'],
): readonly string[] | null | undefined {
  if (!('document' in record)) return record.kind === 'page' && record.type === 'computed' ? null : [];
  const known = facts.get(record.document)?.anchors;
  if (known === undefined) return undefined;
  const anchors = known.map((anchor) => storable(normalize(anchor)));
  return anchors.length > MAX_ANCHORS || anchors.some(({ length }) => length > MAX_ANCHOR) ? null : anchors;
}

/** New entries, and those with other anchors. */
function changedEntries({ before, after, changed, facts }: ContentChange, stored: StoredLinks): EntryRow[] {
  return [...changed.keys()].flatMap((id): EntryRow[] => {
    const kind = kindOf(after, id);
    const record = after.records.get(id);
    if (kind === undefined || record === undefined) return [];
    const isNew = kindOf(before, id) !== kind;
    const old = stored.anchors.get(id);
    // A body that was not analysed is the one that the row describes.
    const anchors = anchorsOf(record, facts) ?? (isNew || old === undefined ? null : old);
    return isNew || (old !== undefined && !isSame(old, anchors)) ? [{ entry_id: id, kind, anchors }] : [];
  });
}

async function writeDifference(
  db: Database,
  spaceId: string,
  after: Tree,
  { removed, added, lost, gained }: LinkDifference,
  entries: readonly EntryRow[],
): Promise<void> {
  for (const some of inPortions(removed)) await store.deleteLinks(db, spaceId, some);
  for (const some of inPortions(lost)) await store.subtractSources(db, spaceId, some);
  const isGained = new Set(gained);
  for (const rows of inPortions(added)) {
    const some = rows.filter((row) => isGained.has(row)).map((row) => newTarget(after, row));
    await store.insertLinks(db, spaceId, { rows, gained: some });
  }
  for (const some of inPortions(lost)) await store.deleteUnusedTargets(db, spaceId, some);
  for (const some of inPortions(entries)) await saveEntries(db, spaceId, some);
}

const newTarget = (tree: Tree, row: LinkRow): store.NewTarget => ({
  ...row,
  broken: isBroken(tree, row),
  address: row.kind === 'url' ? addressOf(row.url) : null,
});

/** Whether a new target is broken, apart from its anchor, which is decided when all entries are known. Null: outside. */
export function isBroken(tree: Tree, target: TargetColumns): boolean | null {
  if (!isInside(target)) return null;
  if (target.kind === 'missing') return true;
  if (target.kind === 'url') return isMalformed(target.url ?? '');
  return kindOf(tree, target.target_id ?? '') !== target.kind;
}

/** A web address that no browser follows, such as one without a host. */
const isMalformed = (url: string): boolean =>
  /^(?:https?:|\/\/)/i.test(url) && !URL.canParse(url.startsWith('//') ? `https:${url}` : url);

/** Rows of one statement: those of an import together would be hundreds of megabytes. */
const MAX_ROWS = 500;

const inPortions = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_portion, n) =>
    rows.slice(n * MAX_ROWS, (n + 1) * MAX_ROWS),
  );

/** An entry that nothing links to yet needs no update of its targets. */
function flippedEntries({ flipped }: AffectedLinks, { rows }: StoredLinks): FlippedEntry[] {
  const targets = new Set(rows.map(({ target_id: id }) => id));
  return [...flipped]
    .filter(([id, kind]) => kind === undefined || targets.has(id))
    .map(([id, kind]) => ({ id, kind: kind ?? null }));
}

function entriesToCheck(
  { flipped }: AffectedLinks,
  { removed, added }: LinkDifference,
  entries: readonly EntryRow[],
  { rows }: StoredLinks,
): string[] {
  const targets = new Set(rows.map(({ target_id: id }) => id));
  const includes = [...removed, ...added].filter(({ relation }) => relation === 'dependsOn');
  return [
    ...new Set([
      ...entries.filter(({ entry_id: id }) => !flipped.has(id)).map(({ entry_id: id }) => id),
      ...[...flipped.keys()].filter((id) => targets.has(id)),
      ...includes.map(({ source_id: id }) => id),
    ]),
  ];
}
