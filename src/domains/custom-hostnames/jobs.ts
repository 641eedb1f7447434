import Type from 'typebox';
import { ApiError } from '../../platform/api/errors.ts';
import { job, type JobContext } from '../../platform/jobs/job.ts';
import { claimDue, type DueHostname } from './check-store.ts';
import { proveHostname, readRecords } from './prove-hostname.ts';

/** The hostnames that one run checks. A lookup takes at most six seconds. */
const BATCH = 20;

/** Activates requested hostnames whose TXT record has appeared. */
export const checkHostnames = job({
  name: 'custom-hostnames.check',
  input: Type.Object({}),
  cron: '* * * * *',
  run: async (ctx) => {
    const due = await claimDue(ctx.db, BATCH);
    await Promise.all(due.map((hostname) => check(ctx, hostname)));
  },
});

async function check(ctx: JobContext, due: DueHostname): Promise<void> {
  const records = await readRecords(ctx, due.hostname);
  // An outage of the name servers says nothing about the record.
  if ('failure' in records) return;
  try {
    await ctx.db.transaction().execute((db) => proveHostname({ db, keys: ctx.keys }, due, records));
  } catch (error) {
    // 409: another site has the hostname.
    if (!(error instanceof ApiError)) throw error;
  }
}
