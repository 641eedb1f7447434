import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { deleteReadEvents } from './store.ts';

export const purgeEvents = job({
  name: 'events.purge',
  input: Type.Object({}),
  cron: '15 4 * * *',
  run: (ctx) => deleteReadEvents(ctx.db),
});
