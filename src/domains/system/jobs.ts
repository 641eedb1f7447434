import Type from 'typebox';
import { deleteOldAnswers } from '../../platform/http/act/idempotency.ts';
import { job } from '../../platform/jobs/job.ts';

export const purgeIdempotencyKeys = job({
  name: 'system.purge-idempotency-keys',
  input: Type.Object({}),
  cron: '17 * * * *',
  run: (ctx) => deleteOldAnswers(ctx.db),
});
