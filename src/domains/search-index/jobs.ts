import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { lockSpace } from '../spaces/index.ts';
import { listSegments } from './store.ts';
import { dueSegments, merge } from './write-segment.ts';

/** Merges segments of the index of a space, where an edit in the front has left that. */
export const mergeSegments = job({
  name: 'search.merge',
  input: Type.Object({ spaceId: Type.String() }),
  run: (ctx, { spaceId }) =>
    ctx.db.transaction().execute(async (db) => {
      await lockSpace(db, spaceId);
      const due = dueSegments(await listSegments(db, spaceId));
      if (due.length > 0) await merge(db, spaceId, due);
    }),
});
