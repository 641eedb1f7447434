import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { purgeExpired } from './purge.ts';
import { foldTallies } from './store.ts';

export const purgeSpaces = job({
  name: 'spaces.purge',
  input: Type.Object({}),
  cron: '*/15 * * * *',
  async run(ctx) {
    const purged = await purgeExpired(ctx.db, ctx.log);
    if (purged > 0) ctx.log.info({ purged }, 'spaces deleted more than 7 days ago were deleted permanently');
  },
});

export const foldSpaceTallies = job({
  name: 'spaces.fold-tallies',
  input: Type.Object({}),
  cron: '* * * * *',
  run: (ctx) => ctx.db.transaction().execute(foldTallies),
});
