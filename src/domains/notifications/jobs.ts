import Type from 'typebox';
import { newId } from '../../platform/api/ids.ts';
import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { enqueue, job, type Job, type JobContext } from '../../platform/jobs/job.ts';
import { contextForUser } from '../users/index.ts';
import { itemOf, type Item } from './mail/items.ts';
import { readVisible } from './mail/read-visible.ts';
import { renderMail } from './mail/render-mail.ts';
import { unsubscribeUrl } from './mail/unsubscribe-link.ts';
import * as store from './store.ts';

const ToUser = Type.Object({ userId: Type.String() });

/** Sends what is due for one user: what failed before, and all that happened since the last mail, as one mail. */
export const sendNotifications: Job<typeof ToUser> = job({
  name: 'notifications.send',
  input: ToUser,
  async run(ctx, { userId }) {
    for (;;) {
      const batch = await claim(ctx, userId);
      if (batch.length === 0) return;
      await attempt(ctx, userId, batch);
    }
  },
});

export const purgeNotifications = job({
  name: 'notifications.purge',
  input: Type.Object({}),
  cron: '25 4 * * *',
  run: (ctx) => store.deleteOldNotifications(ctx.db),
});

/** Mails at the same time: a server that never answers takes no other place of the worker. */
const LANES = 2;

/** The next mails of these users. One job of a user waits, and none runs twice at the same time. */
export async function scheduleMails(db: Database, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  for (const { id: userId, at: runAt } of await store.findDue(db, userIds)) {
    const lane = (userId.codePointAt(userId.length - 1) ?? 0) % LANES;
    const options = { key: `notify ${userId}`, queue: `notify ${lane}`, runAt };
    await enqueue(db, sendNotifications, { userId }, options);
  }
}

/** A batch, and the job for its next attempt, in one transaction: a process that ends loses nothing. */
const claim = (ctx: JobContext, userId: string): Promise<store.NotificationRow[]> =>
  ctx.db.transaction().execute(async (db) => {
    const batch = await store.claimBatch(db, userId);
    if (batch.length > 0) await scheduleMails(db, [userId]);
    return batch;
  });

/** Outside of a transaction: no connection is held while the mail server answers. */
async function attempt(ctx: JobContext, userId: string, batch: readonly store.NotificationRow[]) {
  const [{ attempts = 0, batch_id: batchId = newId() } = {}] = batch;
  const ids = batch.map(({ id }) => id);
  try {
    // The process ended during the last attempt.
    if (attempts > store.MAX_ATTEMPTS) throw new Error('the process ended during the last attempt');
    await send(ctx, userId, batchId, batch);
  } catch (error) {
    const isLast = attempts >= store.MAX_ATTEMPTS;
    const message = isLast ? 'a mail is given up' : 'a mail could not be sent; it is tried again';
    ctx.log[isLast ? 'error' : 'warn']({ err: error, userId, attempts, notifications: ids.length }, message);
    if (isLast) await store.endNotifications(ctx.db, ids, 'failed');
  }
}

/** At least once: a process that ends after the server has accepted the mail sends it again, with the same Message-ID. */
async function send(
  ctx: JobContext,
  userId: string,
  batchId: string,
  batch: readonly store.NotificationRow[],
): Promise<void> {
  const recipient = ctx.settings.mail ? await contextForUser(ctx, ctx.db, userId) : undefined;
  const items = recipient?.caller.emailProven ? await readWanted(recipient, batch) : new Map<number, Item>();
  const idsOf = (isSent: boolean) => batch.map(({ id }) => id).filter((id) => items.has(id) === isSent);
  // Not with the others: what may not be told is not tried again.
  await store.endNotifications(ctx.db, idsOf(false), 'dropped');
  const [first, ...others] = [...items.values()];
  if (!recipient || !first) return;
  const stop = unsubscribeUrl(ctx, {
    userId,
    kinds: [...new Set([first, ...others].map(({ kind }) => kind))],
  });
  const more = batch.reduce((sum, row) => sum + row.more, 0);
  const settings = ctx.addresses.of('/v1/user/notification-settings');
  const { subject, text, html, threadId } = renderMail([first, ...others], more, { stop, settings });
  const { hostname } = new URL(ctx.addresses.of('/'));
  await ctx.mail({
    to: recipient.caller.email,
    subject,
    text,
    html,
    messageId: `<${batchId}.notification@${hostname}>`,
    ...(threadId === undefined ? {} : { references: `<${threadId}@${hostname}>` }),
    headers: {
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  });
  await store.endNotifications(ctx.db, idsOf(true), 'sent');
}

/** Of a batch, by id: what its recipient wants and may view now. */
async function readWanted(
  recipient: Context,
  batch: readonly store.NotificationRow[],
): Promise<Map<number, Item>> {
  const { db, addresses } = recipient;
  const settings = await store.findSettings(db, recipient.caller.id);
  const wanted = batch.filter(
    ({ kind }) => settings && settings.delivery !== 'off' && !settings.disabled_kinds.includes(kind),
  );
  const items = new Map<number, Item>();
  if (wanted.length === 0) return items;
  const visible = await readVisible(recipient, wanted);
  for (const row of wanted) {
    const item = itemOf(row, visible, addresses);
    if (item) items.set(row.id, item);
  }
  return items;
}
