import Type from 'typebox';
import { findPage } from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
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
    const spaces = await reindexSpaces(ctx.db);
    if (spaces > 0) ctx.log.info({ spaces }, 'search index entries were rebuilt in the current format');
  },
});

/** Rewrites the search index of spaces that were indexed in an older form. They remain searchable meanwhile. */
export async function reindexSpaces(db: Database): Promise<number> {
  const spaces = await listOutdatedSpaces(db, MAX_SPACES);
  for (const spaceId of spaces) while (await reindexOne(db, spaceId));
  return spaces.length;
}

/** One transaction per segment: an edit of the space waits for one of them at most. */
const reindexOne = (db: Database, spaceId: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { tree } = (await lockToPublish(transaction, engineWithoutThreads, spaceId)).base;
    return reindexSegment(transaction, spaceId, (id) => {
      const page = findPage(tree, id);
      return page?.type === 'document' ? page.label : undefined;
    });
  });
