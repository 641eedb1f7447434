import Type from 'typebox';
import { enqueue, job, type Job } from '../../../platform/jobs/job.ts';
import { hmac } from '../../../platform/webhooks/signatures.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import { openIntegrationSecret } from '../secrets.ts';
import { deleteOldEvents, findWaiting, recordAttempt } from './store.ts';

const OfEvent = Type.Object({ eventId: Type.String() });

const MAX_ATTEMPTS = 4;
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE = 1024 * 1024;
/** 5 s, 20 s, 80 s. */
const retryDelayMs = (attempts: number): number => 5_000 * 4 ** (attempts - 1);

/** Delivers an event to the tunnel of a developer, outside of a transaction. */
export const deliverIntegrationEvent: Job<typeof OfEvent> = job({
  name: 'integrations.deliver',
  input: OfEvent,
  async run(ctx, { eventId }) {
    const event = await findWaiting(ctx.db, eventId);
    if (!event) return;
    const at = ctx.now();
    const log = (message: string, level: 'info' | 'error') => ({
      message,
      level,
      timestamp: at.toISOString(),
    });
    if (event.tunnel_url === null) {
      const message = 'Not delivered: development mode was disabled.';
      return recordAttempt(ctx.db, eventId, 'failed', log(message, 'error'));
    }
    const body = JSON.stringify(event.payload);
    const secret = openIntegrationSecret(ctx.keys, event.name, event.signing_secret_sealed);
    const failure = await post(ctx.outbound, event.tunnel_url, body, hmac(secret, body));
    if (failure === undefined)
      return recordAttempt(ctx.db, eventId, 'success', log('Delivered to the tunnel.', 'info'));
    const attempts = event.attempts + 1;
    const isLast = attempts >= MAX_ATTEMPTS;
    const message = `Attempt ${attempts} of ${MAX_ATTEMPTS}: ${failure}`;
    await ctx.db.transaction().execute(async (db) => {
      await recordAttempt(db, eventId, isLast ? 'failed' : null, log(message, 'error'));
      if (isLast) return;
      const runAt = new Date(at.getTime() + retryDelayMs(attempts));
      await enqueue(
        db,
        deliverIntegrationEvent,
        { eventId },
        { queue: queueOf(event.integration_id), runAt },
      );
    });
  },
});

/** Events of one integration are delivered one at a time. */
export const queueOf = (integrationId: string): string => `integration ${integrationId}`;

type Post = Parameters<Job['run']>[0]['outbound'];

/** Why it failed. */
async function post(
  outbound: Post,
  url: string,
  body: string,
  signature: string,
): Promise<string | undefined> {
  try {
    const { status, body: answer } = await outbound.stream(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitbook-integration-signature': signature },
      body,
      redirects: 0,
      maxBytes: MAX_RESPONSE,
      timeoutMs: TIMEOUT_MS,
    });
    answer.on('error', () => undefined).destroy();
    return status >= 200 && status < 300 ? undefined : `the tunnel answered ${status}.`;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

export const purgeIntegrationEvents = job({
  name: 'integrations.purge-events',
  input: Type.Object({}),
  cron: '25 4 * * *',
  async run(ctx) {
    await deleteOldEvents(ctx.db);
  },
});
