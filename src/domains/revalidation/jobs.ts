import Type from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { enqueue, job, type Job, type JobContext } from '../../platform/jobs/job.ts';
import { postWebhook } from '../../platform/webhooks/post.ts';
import { retryDelayMs } from '../../platform/webhooks/retry.ts';
import { hmac, signatureWithTime } from '../../platform/webhooks/signatures.ts';
import { addTags, findRevalidation, recordAttempt, type RevalidationRow } from './store.ts';
import { openSiteSecret } from '../sites/index.ts';

const TIMEOUT_MS = 5_000;

/** 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 6 h. After that, nothing is sent until there is something new. */
const DELAYS = Array.from({ length: 7 }, (_, failures) => 5_000 * 4 ** failures);

const OfSite = Type.Object({ siteId: Type.String() });

/** Delivers the tags of all changes of a site that wait, in one request. */
export const revalidateSite: Job<typeof OfSite> = job({
  name: 'sites.revalidate',
  input: OfSite,
  async run(ctx, { siteId }) {
    const hook = await findRevalidation(ctx.db, siteId);
    if (hook && hook.pending.length > 0) await attempt(ctx, hook);
  },
});

/** Tags that a site announces, and the job that delivers them, in one transaction. */
export async function announceTags(db: Database, siteId: string, tags: readonly string[], at: Date) {
  const organizationId = await addTags(db, siteId, tags);
  if (organizationId !== undefined) await enqueueFor(db, siteId, organizationId, at);
}

/** One job of a site waits, and one of an organization runs: a server that never answers takes no other place. */
const enqueueFor = (db: Database, siteId: string, organizationId: string, runAt: Date) =>
  enqueue(
    db,
    revalidateSite,
    { siteId },
    { key: `revalidate ${siteId}`, queue: `revalidate ${organizationId}`, runAt },
  );

/** Outside of a transaction: no connection is held while another server answers. */
async function attempt(ctx: JobContext, hook: RevalidationRow): Promise<void> {
  const { site_id: siteId, organization_id: organizationId, url } = hook;
  const at = ctx.now();
  const secret = openSiteSecret(ctx.keys, 'site-revalidation', siteId, hook.secret_sealed);
  const body = JSON.stringify({ tags: hook.pending });
  const headers = {
    'x-octavo-signature': signatureWithTime(secret, body, at),
    // GitBook's open renderer verifies a signature without a time.
    'x-gitbook-signature': hmac(secret, body),
  };
  const request = { url, body, headers, timeoutMs: TIMEOUT_MS };
  const { ok, status, error } = await postWebhook(ctx.outbound, request, at);
  if (!ok) ctx.log.info({ siteId, status, error }, 'a revalidation request failed');
  await ctx.db.transaction().execute(async (db) => {
    const failures = await recordAttempt(db, hook, { at, ok, status, error });
    const delayMs = failures === undefined ? undefined : retryDelayMs(DELAYS, failures);
    if (delayMs === undefined) return;
    await enqueueFor(db, siteId, organizationId, new Date(at.getTime() + delayMs));
  });
}
