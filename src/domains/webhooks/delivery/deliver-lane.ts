import { isDatabaseAway, isRetryable } from '../../../platform/database/connection.ts';
import type { JobContext } from '../../../platform/jobs/job.ts';
import { retryDelayMs } from '../../../platform/webhooks/retry.ts';
import { DELAYS, MANY_FAILURES, QUICK_DELAYS } from '../limits.ts';
import type { Attempt } from '../policy.ts';
import { attemptDelivery, type Outcome } from './attempt.ts';
import * as store from './attempt-store.ts';
import { releaseLane, type Lane } from './lane-store.ts';

const GONE = 410;
/** Then other lanes have their turn. */
const MAX_BATCH = 20;

/** Sends the deliveries of a lane one after the other, until one of them has to wait. */
export async function deliverLane(ctx: JobContext, lane: Lane): Promise<void> {
  for (let sent = 0; sent < MAX_BATCH; sent++) {
    const due = await store.findDue(ctx.db, lane);
    if (!due) break;
    const outcome = await attemptOrFail(ctx, due);
    if (!(await recordOutcome(ctx, lane, due, outcome))) return;
  }
  await releaseLane(ctx.db, lane);
}

/** What goes wrong with one delivery must not occupy its lane for ever: it is a failed attempt. */
async function attemptOrFail(ctx: JobContext, due: store.DueDelivery): Promise<Outcome> {
  const at = ctx.now();
  try {
    return await attemptDelivery(ctx, due);
  } catch (error) {
    if (isDatabaseAway(error) || isRetryable(error)) throw error;
    ctx.log.error({ err: error, deliveryId: due.webhook_delivery_id }, 'a webhook could not be sent');
    const result = { ok: false, error: 'The server failed to send it. Its log has the reason.' } as const;
    return { kind: 'sent', result, at, durationMs: 0 };
  }
}

/** Returns whether the lane goes on. */
async function recordOutcome(
  { db, log }: JobContext,
  lane: Lane,
  due: store.DueDelivery,
  outcome: Outcome,
): Promise<boolean> {
  if (outcome.kind === 'withheld') {
    await store.withholdDelivery(db, due);
    return true;
  }
  if (outcome.kind === 'unauthorised') {
    await store.disableWebhook(db, due, 'responsible-lost-access');
    return true;
  }
  const { result } = outcome;
  const attempt = attemptOf(outcome);
  if (result.ok) {
    await store.recordSuccess(db, due, attempt);
    return true;
  }
  log.info({ webhookId: due.webhook_id, status: result.status, error: result.error }, 'a webhook failed');
  if (result.status === GONE) {
    await store.disableWebhook(db, due, 'gone');
    await store.recordEnd(db, due, attempt);
    return true;
  }
  const delayMs = delayAfter(due, result.status === undefined ? undefined : result.retryAfterMs);
  if (delayMs === undefined) await store.recordEnd(db, due, attempt);
  else await store.recordRetry(db, due, lane, delayMs, attempt);
  return delayMs === undefined;
}

/** Quick retries are for a receiver that works: one that fails again and again is asked less often. */
function delayAfter({ failures, webhook_failures: inARow }: store.DueDelivery, retryAfterMs?: number) {
  const number = failures + 1;
  const least = inARow >= MANY_FAILURES ? QUICK_DELAYS.length + 1 : 1;
  return retryDelayMs(DELAYS, Math.max(number, least), retryAfterMs);
}

const attemptOf = ({ at, durationMs, result }: Extract<Outcome, { kind: 'sent' }>): Attempt => ({
  at: at.toISOString(),
  durationMs,
  ...(result.status === undefined ? { error: result.error } : { status: result.status }),
  ...(result.status !== undefined && result.excerpt !== undefined ? { excerpt: result.excerpt } : {}),
});
