import { sizeOfText } from '../../content-engine/size-of-text.ts';
import Type from 'typebox';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import { buildTree, type Tree } from '../../content-engine/tree/index.ts';
import { job } from '../../platform/jobs/job.ts';
import { deleteIndex, indexLinks, listUnindexedSpaces, type BodyFacts } from '../link-index/index.ts';
import { engineWithoutThreads } from './engine.ts';
import { lockToPublish } from './publish.ts';
import { findWithBody, linkTableIn } from './read/bodies.ts';
import { nameOf } from './read/render.ts';
import { loaderOf, readText, type StorageContext } from './storage/objects.ts';
import { rootOf, treeAt } from './storage/trees.ts';
import { findPrimary } from './store.ts';

const MAX_SPACES = 1000;

export const rebuildLinks = job({
  name: 'links.rebuild',
  input: Type.Object({}),
  cron: '* * * * *',
  async run(ctx) {
    const spaces = await listUnindexedSpaces(ctx.db, MAX_SPACES);
    for (const spaceId of spaces) {
      try {
        await rebuildSpace(ctx, spaceId);
      } catch (error) {
        // One space must not prevent the others; the next run retries it.
        ctx.log.error({ error, spaceId }, 'the links of a space could not be indexed');
      }
    }
    if (spaces.length > 0) ctx.log.info({ spaces: spaces.length }, 'the links of spaces were indexed');
  },
});

/** Indexes all links of a space. Bodies are parsed before the space is locked; then only those that changed meanwhile. */
export async function rebuildSpace(ctx: StorageContext, spaceId: string): Promise<void> {
  const facts = new Map<Hash, BodyFacts>();
  const primary = await findPrimary(ctx.db, spaceId);
  const load = loaderOf(ctx, primary.store_id);
  await addFacts(facts, load, await treeAt(ctx, load, rootOf(primary)));
  await ctx.db.transaction().execute(async (db) => {
    const publishing = await lockToPublish({ ...ctx, db }, engineWithoutThreads, spaceId);
    const { tree } = publishing.base;
    await addFacts(facts, publishing.load, tree);
    await deleteIndex(db, spaceId);
    await indexLinks(db, spaceId, {
      before: buildTree([]),
      after: tree,
      changed: new Map(Array.from(tree.records.values(), (record) => [record.id, record])),
      facts,
      tableOf: (record) => linkTableIn(publishing.load, record),
    });
  });
}

async function addFacts(facts: Map<Hash, BodyFacts>, load: Load, tree: Tree): Promise<void> {
  for (const { id } of tree.records.values()) {
    const record = findWithBody(tree, id);
    if (!record || facts.has(record.document)) continue;
    const text = await readText(load, record.document);
    const work = { size: sizeOfText(text), what: nameOf(record) };
    const { hrefs, dependencies, anchors } = await engineWithoutThreads.run('analyseBody', text, work);
    facts.set(record.document, { hrefs, dependencies, anchors });
  }
}
