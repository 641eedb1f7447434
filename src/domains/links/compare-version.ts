import { LRUCache } from 'lru-cache';
import { MAX_HREFS } from '../../content-engine/links/index.ts';
import { diff, type Hash } from '../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { unprocessable } from '../../platform/api/errors.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import {
  pinPreview,
  previewMerge,
  type RequestContentRow,
  type RequestVersions,
} from '../change-requests/index.ts';
import { linkChanges, type BodyFacts, type LinkChanges } from '../link-index/index.ts';
import {
  readTree,
  factsReader,
  findWithBody,
  linkTableIn,
  loaderOf,
  rootOf,
  treeAt,
  withTexts,
  type Content,
} from '../content-store/index.ts';

/** `proposed`: the content of a change request. `merged`: the content of its space after a merge. */
export type RequestView = 'proposed' | 'merged';

/** A version of the content of a space, compared with its primary revision. */
export interface ComparedVersion {
  readonly tree: Tree;
  readonly changes: LinkChanges;
}

/** The version changes more links than can be listed. */
const TOO_MANY_LINKS = 'too many links';

/** Keys are the roots that determine the value, so entries are never invalidated. A refusal is cached, too. */
export type RequestLinkCache = LRUCache<string, ComparedVersion | typeof TOO_MANY_LINKS>;

const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const ROW_BYTES = 300;
const RECORD_BYTES = 200;

export const createRequestLinkCache = (): RequestLinkCache =>
  new LRUCache({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (version) => {
      if (version === TOO_MANY_LINKS) return ROW_BYTES;
      const { tree, changes } = version;
      return tree.records.size * RECORD_BYTES + (changes.old.length + changes.now.length + 1) * ROW_BYTES;
    },
  });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly requestLinks: RequestLinkCache;
  }
}

/** The roots that determine a version. */
export function keyOf(
  { space_id: spaceId }: RequestContentRow,
  view: RequestView,
  versions: RequestVersions,
): string {
  const { status, root, ancestor_root: ancestor, primary_root: primary } = versions;
  const roots = [primary, root, view === 'merged' ? ancestor : null];
  return [spaceId, view, status === 'merged', ...roots.map((each) => rootOf({ root: each }))].join(' ');
}

/** Links that a version adds and removes. They are parameters of the statements that list it. */
const MAX_CHANGED_LINKS = 60_000;

/** The content of a version, and the facts of the bodies that the primary revision does not have. */
export interface PreparedVersion {
  readonly key: string;
  readonly content: Content;
  readonly facts: ReadonlyMap<Hash, BodyFacts>;
}

/** A changed page that is parsed takes as long as twenty items of a list. */
const COST_OF_PAGE = 20;

/** The part of the comparison that needs no stored links, and may take long. */
export async function prepareVersion(
  ctx: Context,
  target: RequestContentRow,
  view: RequestView,
  versions: RequestVersions,
): Promise<PreparedVersion> {
  const content =
    view === 'merged' ? await previewMerge(ctx, target, versions) : await proposedContent(ctx, versions);
  requireSmall(ctx, 'items', COST_OF_PAGE * content.changed.size);
  const load = withTexts(loaderOf(ctx, versions.store_id), content.texts);
  const before = await primaryTree(ctx, versions);
  const factsOf = factsReader(ctx, load);
  const facts = new Map<Hash, BodyFacts>();
  const key = keyOf(target, view, versions);
  let added = 0;
  for (const id of content.changed.keys()) {
    const record = findWithBody(content.tree, id);
    const old = findWithBody(before, id);
    if (!record || old?.document === record.document) continue;
    const known = await factsOf(record);
    facts.set(record.document, known);
    // All links of a new page are added. Those of a changed page are compared later.
    if (!old) added += Math.min(known.hrefs.length, MAX_HREFS);
    if (added > MAX_CHANGED_LINKS) throw tooManyLinks(ctx, key);
  }
  return { key, content, facts };
}

/** Remembers the refusal: the same content is refused again without the work. */
function tooManyLinks({ caches }: Context, key: string): Error {
  caches.requestLinks.set(key, TOO_MANY_LINKS);
  return unprocessable(
    `The change request changes more than ${MAX_CHANGED_LINKS.toLocaleString('en')} links. Merge it in parts to list them.`,
  );
}

const primaryTree = (
  ctx: Context,
  { store_id: storeId, primary_root: root }: RequestVersions,
): Promise<Tree> => readTree(ctx, { store_id: storeId, root });

async function proposedContent(ctx: Context, versions: RequestVersions): Promise<Content> {
  const load = loaderOf(ctx, versions.store_id);
  const [primary, proposed] = [rootOf({ root: versions.primary_root }), rootOf(versions)];
  const differences = await diff<ContentRecord>(load, primary, proposed);
  return {
    tree: await treeAt(ctx, load, proposed),
    changed: new Map(differences.map(({ id, after }) => [id, after ?? null])),
    texts: new Map(),
  };
}

/** Compares a version with the stored links, which must be those of its primary revision. */
export async function compareVersion(
  snapshot: Context,
  target: RequestContentRow,
  view: RequestView,
  versions: RequestVersions,
  prepared: PreparedVersion | undefined,
): Promise<ComparedVersion> {
  const key = keyOf(target, view, versions);
  const { requestLinks } = snapshot.caches;
  const cached = requestLinks.get(key);
  if (cached === TOO_MANY_LINKS) throw tooManyLinks(snapshot, key);
  if (cached) return cached;
  // The space or the request may have changed since.
  const { content, facts } =
    prepared?.key === key ? prepared : await prepareVersion(snapshot, target, view, versions);
  const { tree, changed, texts } =
    view === 'merged' ? await pinPreview(snapshot, target, versions, content) : content;
  const load = withTexts(loaderOf(snapshot, versions.store_id), texts);
  const changes = await linkChanges(snapshot, target.space_id, {
    before: await primaryTree(snapshot, versions),
    after: tree,
    changed,
    facts,
    tableOf: (record) => linkTableIn(load, record),
  });
  const { removed, added } = changes.difference;
  if (removed.length + added.length > MAX_CHANGED_LINKS) throw tooManyLinks(snapshot, key);
  const compared = { tree, changes };
  requestLinks.set(key, compared);
  return compared;
}
