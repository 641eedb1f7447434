import Type from 'typebox';
import { findPage } from '../../content-engine/tree/index.ts';
import type { StorageContext } from './storage/objects.ts';
import { job } from '../../platform/jobs/job.ts';
import { listOutdatedSpaces, reindexSegment } from '../search/index.ts';
import { engineWithoutThreads } from './engine.ts';
import { lockToPublish } from './publish.ts';

const MAX_SPACES = 1000;

export const reindexSearch = job({
  name: 'search.reindex',
  input: Type.Object({}),
  cron: '* * * * *',
  async run(ctx) {
    const spaces = await reindexSpaces(ctx);
    if (spaces > 0) ctx.log.info({ spaces }, 'search index entries were rebuilt in the current format');
  },
});

/** Rewrites the search index of spaces that were indexed in an older form. They remain searchable meanwhile. */
export async function reindexSpaces(ctx: StorageContext): Promise<number> {
  const spaces = await listOutdatedSpaces(ctx.db, MAX_SPACES);
  for (const spaceId of spaces) while (await reindexOne(ctx, spaceId));
  return spaces.length;
}

/** One transaction per segment: an edit of the space waits for one of them at most. */
const reindexOne = (ctx: StorageContext, spaceId: string): Promise<boolean> =>
  ctx.db.transaction().execute(async (db) => {
    const { tree } = (await lockToPublish({ ...ctx, db }, engineWithoutThreads, spaceId)).base;
    return reindexSegment(db, spaceId, (id) => {
      const page = findPage(tree, id);
      return page?.type === 'document' ? page.label : undefined;
    });
  });
