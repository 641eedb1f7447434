import {
  baseDirectoryOf,
  currentPaths,
  resolveIn,
  targetOf,
  type PathMapping,
} from '../../../content-engine/links/index.ts';
import { diff, type Hash, type Load, type NodeHash } from '../../../content-engine/map/index.ts';
import {
  deriveTree,
  findPage,
  type ContentRecord,
  type ContentRef,
  type LinkPage,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { addToList } from '../../../content-engine/add-to-list.ts';
import { affectedBy, listCandidates } from '../../link-index/index.ts';
import {
  factsReader,
  findWithBody,
  linkTableIn,
  withTexts,
  type StorageContext,
  type WithBody,
} from '../../content-store/index.ts';
import type { FindLoose } from './batch-context.ts';
import { storeInline } from './finish-records.ts';

interface ChangedContent {
  readonly tree: Tree;
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
}

/**
 * Adds to link tables the hrefs that lead to an entry by its path alone, where that path changes now: from then on they
 * follow the entry. A renamed page may change the tables of pages that link to it; people see no change of those.
 */
export async function pinLinks<C extends ChangedContent>(
  ctx: Pick<StorageContext, 'isFront'>,
  find: FindLoose,
  load: Load,
  before: Tree,
  content: C,
  texts: Map<Hash, string>,
): Promise<C> {
  const { tree: after, changed } = content;
  const { moved, rebased, formerNames } = affectedBy(ctx, before, after, changed);
  if (moved.size + rebased.size === 0) return content;
  const hrefs = new Map<string, string[]>();
  for (const { sourceId, href } of await find([...formerNames], [...rebased]))
    addToList(hrefs, sourceId, href);
  const records = new Map<string, ContentRecord>();
  const [then, now] = [currentPaths(before), currentPaths(after)];
  for (const [id, some] of hrefs) {
    const follow = targetsToPin(then, now, id);
    const record = await pinned(withTexts(load, texts), before, after, id, some, follow, texts);
    if (record) records.set(id, record);
  }
  if (records.size === 0) return content;
  const tree = deriveTree(after, records);
  return { ...content, tree, changed: new Map([...changed, ...records]) };
}

/** The target that the path of an href led to, where it exists and the path no longer leads to it. */
function targetsToPin(
  before: PathMapping,
  after: PathMapping,
  sourceId: string,
): (href: string) => ContentRef | undefined {
  const [dirBefore, dirAfter] = [baseDirectoryOf(before, sourceId), baseDirectoryOf(after, sourceId)];
  return (href) => {
    const ref = resolveIn(before, dirBefore, href);
    const id = ref && targetOf(ref);
    if (id === undefined || !after.tree.records.has(id)) return undefined;
    const now = resolveIn(after, dirAfter, href);
    return now && targetOf(now) === id ? undefined : ref;
  };
}

/** The record of a source with pinned links. Undefined: there is nothing to pin, or the change replaced its links. */
async function pinned(
  load: Load,
  before: Tree,
  after: Tree,
  id: string,
  hrefs: readonly string[],
  follow: (href: string) => ContentRef | undefined,
  texts: Map<Hash, string>,
): Promise<ContentRecord | undefined> {
  const link = findLinkPage(after, id);
  if (link) {
    const target = link.target.kind === 'url' ? follow(link.target.url) : undefined;
    return target && { ...link, target };
  }
  const [old, record] = [findWithBody(before, id), findWithBody(after, id)];
  if (!old || !record || old.document !== record.document) return undefined;
  const table = await linkTableIn(load, record);
  const pins = new Map<string, ContentRef>();
  for (const href of hrefs) {
    const known = Object.hasOwn(table, href) ? targetOf(table[href] as ContentRef) : undefined;
    const ref = known !== undefined && before.records.has(known) ? undefined : follow(href);
    if (ref) pins.set(href, ref);
  }
  if (pins.size === 0) return undefined;
  const links = storeInline({ ...table, ...Object.fromEntries(pins) }, texts);
  return { ...record, links } satisfies WithBody;
}

function findLinkPage(tree: Tree, id: string): LinkPage | undefined {
  const page = findPage(tree, id);
  return page?.type === 'link' ? page : undefined;
}

interface LooseSource {
  readonly ctx: StorageContext;
  readonly load: Load;
  readonly spaceId: string;
  /** The tree that a change is applied to. */
  readonly tree: Tree;
  /** Ids of what differs between it and the primary revision, which the stored links are of. */
  readonly unindexed: () => Promise<Iterable<string>>;
}

/** Finds loose hrefs in the stored links, and in memory for what they do not describe. */
export const looseLinksIn =
  ({ ctx, load, spaceId, tree, unindexed }: LooseSource): FindLoose =>
  async (names, sources) => {
    const ids = new Set(await unindexed());
    const gone = [...ids].filter((id) => !tree.records.has(id));
    const stored = await listCandidates(ctx.db, spaceId, { names, sources, gone });
    const candidates = stored.filter(({ sourceId }) => !ids.has(sourceId));
    const factsOf = factsReader(ctx, load);
    for (const sourceId of ids) {
      const record = findWithBody(tree, sourceId);
      const link = findLinkPage(tree, sourceId);
      if (link?.target.kind === 'url') candidates.push({ sourceId, href: link.target.url });
      if (!record) continue;
      const { hrefs } = await factsOf(record);
      for (const href of hrefs) candidates.push({ sourceId, href });
    }
    return candidates;
  };

/** Ids of what differs between two revisions. */
export const differingIds = async (load: Load, a: NodeHash, b: NodeHash): Promise<string[]> =>
  (await diff<ContentRecord>(load, a, b)).map(({ id }) => id);
