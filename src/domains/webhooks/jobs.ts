import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { deleteOldDeliveries } from './store.ts';

export const purgeWebhookDeliveries = job({
  name: 'webhooks.purge',
  input: Type.Object({}),
  cron: '5 4 * * *',
  run: (ctx) => deleteOldDeliveries(ctx.db),
});
