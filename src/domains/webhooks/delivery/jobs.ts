import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import type { Database } from '../../../platform/database/connection.ts';
import { enqueue, job, type Job, type JobContext } from '../../../platform/jobs/job.ts';
import { deliverLane } from './deliver-lane.ts';
import { claimLanes, nextLaneMs, renewLeases, type Lane } from './lane-store.ts';

const Nothing = Type.Object({});

/** The time between two claims of a job that has or awaits work; it doubles while there is nothing to claim. */
const CLAIM_MS = 50;
const MAX_CLAIM_MS = 400;
const RENEW_MS = 1_000;
/** A job waits for retries that are due so soon, and for the leases of a process that ended. */
const PATIENCE_MS = 4_000;
/** Then the next job takes over. */
const MAX_RUN_MS = 60_000;

/** One job delivers for all subscriptions: requests wait beside each other, and take one place of the worker. */
const QUEUE = 'webhooks';

export const deliverWebhooks: Job<typeof Nothing> = job({
  name: 'webhooks.deliver',
  input: Nothing,
  run: deliverAll,
});

/** Restored spaces and repaired databases have deliveries that no job awaits. */
export const wakeWebhooks: Job<typeof Nothing> = job({
  name: 'webhooks.wake',
  input: Nothing,
  cron: '* * * * *',
  async run({ db }) {
    if ((await nextLaneMs(db)) === 0) await wakeDelivery(db);
  },
});

/** In the transaction that makes deliveries due. */
export const wakeDelivery = (db: Database): Promise<void> =>
  enqueue(db, deliverWebhooks, {}, { key: 'webhooks now', queue: QUEUE });

async function deliverAll(ctx: JobContext): Promise<void> {
  const working = new Map<Lane, Promise<void>>();
  const until = performance.now() + MAX_RUN_MS;
  const renewal = setInterval(() => void renew(ctx, [...working.keys()]), RENEW_MS);
  let pause = CLAIM_MS;
  try {
    while (performance.now() < until) {
      const claimed = await claimLanes(ctx.db);
      pause = claimed.length > 0 ? CLAIM_MS : Math.min(2 * pause, MAX_CLAIM_MS);
      for (const lane of claimed) {
        working.set(
          lane,
          work(ctx, lane).finally(() => working.delete(lane)),
        );
      }
      if (working.size === 0 && ((await nextLaneMs(ctx.db)) ?? Infinity) > PATIENCE_MS) break;
      await delay(pause);
    }
  } finally {
    await Promise.all(working.values());
    clearInterval(renewal);
  }
  await awaitNext(ctx);
}

async function work(ctx: JobContext, lane: Lane): Promise<void> {
  try {
    await deliverLane(ctx, lane);
  } catch (error) {
    // Its lease ends, and the lane is claimed again.
    ctx.log.error({ err: error, lane }, 'deliveries of a webhook were interrupted');
  }
}

/** A renewal that fails is followed by another, before the lease ends. */
const renew = (ctx: JobContext, lanes: readonly Lane[]): Promise<void> =>
  renewLeases(ctx.db, lanes).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'leases of webhooks could not be renewed'),
  );

/** A key of its own: a delivery that is due now must not wait for a later one. */
async function awaitNext({ db, now }: JobContext): Promise<void> {
  const ms = await nextLaneMs(db);
  if (ms === undefined) return;
  const runAt = new Date(now().getTime() + ms);
  await enqueue(db, deliverWebhooks, {}, { key: 'webhooks later', queue: QUEUE, runAt });
}
