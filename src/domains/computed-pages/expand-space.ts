import { expandEntry, readSpecEntry, type Expanded } from '../../content-engine/computed/index.ts';
import type { Hash } from '../../content-engine/map/index.ts';
import type { ApiOutline } from '../../content-engine/openapi/index.ts';
import {
  deriveTree,
  settleOrphans,
  walkPages,
  type ComputedPage,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { JobContext } from '../../platform/jobs/job.ts';
import { loaderOf, readText, readTree, withTexts } from '../content-store/index.ts';
import { readSpecOutline } from '../openapi-specs/index.ts';
import { findPrimary, lockToPublish } from '../revisions/index.ts';
import { findSpace } from './store.ts';

/** How often an expansion starts over because the space was edited meanwhile. */
const MAX_TRIES = 5;

/** Compares the pages of all entries with their specifications, and publishes what differs. */
export async function expandSpace(ctx: JobContext, spaceId: string): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const space = await findSpace(ctx.db, spaceId);
    if (space === undefined) return;
    const primary = await findPrimary(ctx.db, spaceId);
    const outlineOf = outlinesOf(ctx, space.organization_id);
    const load = loaderOf(ctx, primary.store_id);
    const expanded = await expandTree(await readTree(ctx, primary), outlineOf, {
      now: ctx.now().getTime(),
      load: (hash, texts) => readText(withTexts(load, texts), hash),
    });
    if (expanded.changed.size === 0) return;
    const isWritten = await ctx.db.transaction().execute(async (db) => {
      if ((await findSpace(db, spaceId)) === undefined) return true;
      const publishing = await lockToPublish({ ...ctx, db }, spaceId);
      const { revision_id: revisionId, store_id: storeId } = publishing.base;
      if (revisionId !== primary.revision_id || storeId !== primary.store_id) return false;
      await publishing.add({ ...expanded, authorId: undefined, type: 'computed' });
      await publishing.write();
      return true;
    });
    if (isWritten) return;
  }
  throw new Error('the space was edited during each attempt to expand its computed pages');
}

/** Each specification is read once. */
function outlinesOf(ctx: JobContext, organizationId: string) {
  const outlines = new Map<string, Promise<ApiOutline | undefined>>();
  return (slug: string): Promise<ApiOutline | undefined> => {
    const outline = outlines.get(slug) ?? readSpecOutline(ctx.db, organizationId, slug);
    outlines.set(slug, outline);
    return outline;
  };
}

interface Options {
  readonly now: number;
  readonly load: (hash: Hash, texts: ReadonlyMap<Hash, string>) => Promise<string>;
}

/** The pages of an entry without a specification stay as they are, those of an entry that is gone do not. */
async function expandTree(
  tree: Tree,
  outlineOf: (slug: string) => Promise<ApiOutline | undefined>,
  { now, load }: Options,
): Promise<Expanded> {
  const changed = new Map<string, ContentRecord | null>(settleOrphans(tree));
  let current = deriveTree(tree, changed);
  const texts = new Map<Hash, string>();
  for (const { id } of entriesIn(tree)) {
    const entry = current.records.get(id) as ComputedPage;
    const spec = readSpecEntry(entry.computed)?.spec;
    const outline = spec === undefined ? undefined : await outlineOf(spec);
    if (outline === undefined) continue;
    const expanded = await expandEntry(current, entry, outline, { now, load: (hash) => load(hash, texts) });
    current = expanded.tree;
    for (const [key, record] of expanded.changed) changed.set(key, record);
    for (const [hash, text] of expanded.texts) texts.set(hash, text);
  }
  return { tree: current, changed, texts };
}

function entriesIn(tree: Tree): ComputedPage[] {
  const entries: ComputedPage[] = [];
  for (const { page } of walkPages(tree)) if (page.type === 'computed') entries.push(page);
  return entries;
}
