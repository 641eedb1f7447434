import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { deleteOldInsights } from './store.ts';

export const purgeInsights = job({
  name: 'insights.purge',
  input: Type.Object({}),
  cron: '35 4 * * *',
  run: (ctx) => deleteOldInsights(ctx.db),
});
