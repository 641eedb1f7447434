import { readRows } from '../../../platform/access/read-rows.ts';
import type { JobContext } from '../../../platform/jobs/job.ts';
import { postWebhook, type WebhookResult } from '../../../platform/webhooks/post.ts';
import { standardHeaders } from '../../../platform/webhooks/signatures.ts';
import { contextForUser } from '../../users/index.ts';
import { TIMEOUT_MS } from '../limits.ts';
import { composeMessage, type Message } from '../messages/compose-message.ts';
import { webhooks } from '../policy.ts';
import { openWebhookSecret } from '../webhook-secret.ts';
import type { DueDelivery } from './attempt-store.ts';

/** `unauthorised`: the responsible user was removed or disabled, or is no admin of the target any more. */
export type Outcome =
  | { readonly kind: 'withheld' }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'sent'; readonly result: WebhookResult; readonly at: Date; readonly durationMs: number };

/** Sends a delivery once, if the responsible user may receive it now. Outside of a transaction. */
export async function attemptDelivery(ctx: JobContext, due: DueDelivery): Promise<Outcome> {
  if (due.is_target_deleted) return { kind: 'withheld' };
  const user =
    due.responsible_id === null ? undefined : await contextForUser(ctx, ctx.db, due.responsible_id);
  if (!user) return { kind: 'unauthorised' };
  const [managed, message] = await Promise.all([
    readRows(user, webhooks, [due.webhook_id]),
    composeMessage(user, due),
  ]);
  if (!managed.has(due.webhook_id)) return { kind: 'unauthorised' };
  if (!message) return { kind: 'withheld' };
  const at = ctx.now();
  const started = performance.now();
  const result = await send(ctx, due, message, at);
  return { kind: 'sent', result, at, durationMs: Math.round(performance.now() - started) };
}

function send(ctx: JobContext, due: DueDelivery, message: Message, at: Date): Promise<WebhookResult> {
  const secrets = [due.secret_sealed, due.previous_secret_sealed].flatMap((sealed) =>
    sealed ? [openWebhookSecret(ctx.keys, due.webhook_id, sealed)] : [],
  );
  const body = JSON.stringify(message);
  const headers = standardHeaders(secrets, message.id, body, at);
  return postWebhook(ctx.outbound, { url: due.url, body, headers, timeoutMs: TIMEOUT_MS }, at);
}
