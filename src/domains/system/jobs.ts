import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { deleteOldIdempotencyKeys } from './store.ts';

/** Stored answers are promised for a day. */
export const purgeIdempotencyKeys = job({
  name: 'system.purge-idempotency-keys',
  input: Type.Object({}),
  cron: '17 * * * *',
  run: (ctx) => deleteOldIdempotencyKeys(ctx.db),
});
