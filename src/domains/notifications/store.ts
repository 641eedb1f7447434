import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/api/ids.ts';
import { spaces } from '../spaces/index.ts';
import { notificationSettings, type Delivery, type Kind, type SettingsRow } from './policy.ts';

export interface NotificationRow {
  readonly id: number;
  readonly kind: Kind;
  readonly reason: string;
  readonly actor_id: string | null;
  readonly space_id: string;
  readonly change_request_id: string | null;
  readonly comment_id: string | null;
  readonly subject_id: string;
  readonly more: number;
  readonly batch_id: string;
  readonly attempts: number;
}

/** What happened, without its recipients. */
export type Occurrence = Pick<
  NotificationRow,
  'kind' | 'space_id' | 'actor_id' | 'change_request_id' | 'comment_id' | 'subject_id'
>;

/** Beyond it, what happens is only counted, in a notification that waits. */
const MAX_PER_HOUR = 100;
/** Beyond it, mails of a person wait for a quarter of an hour. */
const MAX_MAILS_PER_HOUR = 12;

/** When mail with this delivery is due for the user `id`. Not all at the same second. */
const dueAt = (id: unknown, delivery: unknown) => sql`
  case ${delivery}::text
    when 'hourly' then date_trunc('hour', now()) + interval '1 hour' + ${spread(id)}
    when 'daily' then
      (date_trunc('day', now() at time zone 'UTC' - interval '7 hours') + interval '31 hours') at time zone 'UTC' + ${spread(id)}
    else now() + case when (
        select count(distinct m.batch_id) from notifications m
        where m.user_id = ${id} and m.outcome = 'sent' and m.created_at > now() - interval '2 hours'
          and m.ended_at > now() - interval '1 hour') < ${MAX_MAILS_PER_HOUR}
      then interval '1 minute' else interval '15 minutes' end
  end`;

const spread = (id: unknown) => sql`interval '1 second' * abs(hashtext(${id}::text) % 300)`;

/** No attempt to send it was made. */
const IS_COLLECTED = sql`ended_at is null and batch_id is null`;

/**
 * Adds a notification for those of these users who want it, who have a verified address, and who may view the space. Returns
 * them.
 */
export async function insertNotifications(
  db: Database,
  what: Occurrence,
  reasons: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { rows: recipients } = await sql<{ id: string; delivery: Delivery; is_exceeding: boolean }>`
    select caller.id, coalesce(n.delivery, 'instant') as delivery,
      (select count(*) from notifications r where r.user_id = caller.id and r.created_at > now() - interval '1 hour')
        >= ${MAX_PER_HOUR} as is_exceeding
    from unnest(${[...reasons.keys()]}::text[]) caller (id)
    join users u on u.id = caller.id
    left join notification_settings n on n.user_id = u.id
    where u.disabled_at is null and u.email_proven_at is not null and coalesce(n.delivery, 'instant') <> 'off'
      and ${what.kind} <> all(coalesce(n.disabled_kinds, '{}'))
      and exists (select from (${sql.raw(spaces.rows)}) target where target.space_id = ${what.space_id})
    order by caller.id`.execute(db);
  for (const { id, delivery, is_exceeding: isExceeding } of recipients) {
    if (isExceeding && (await countMore(db, id))) continue;
    await sql`
      insert into notifications (user_id, kind, reason, actor_id, space_id, change_request_id, comment_id, subject_id,
        due_at)
      select ${id}, ${what.kind}, ${reasons.get(id)}, ${what.actor_id}, ${what.space_id},
        ${what.change_request_id}, ${what.comment_id}, ${what.subject_id},
        coalesce((select min(w.due_at) from notifications w where w.user_id = ${id} and ${IS_COLLECTED}),
          ${dueAt(id, delivery)})
      on conflict do nothing`.execute(db);
  }
  return recipients.map(({ id }) => id);
}

/** False: none waits. */
async function countMore(db: Database, userId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update notifications set more = more + 1
    where id = (select id from notifications where user_id = ${userId} and ${IS_COLLECTED}
      order by id desc limit 1)`.execute(db);
  return numAffectedRows > 0n;
}

/**
 * When mail of these users is due next; nothing for users without. Rounded up, because dates have milliseconds: a job that ran
 * earlier would find nothing.
 */
export async function findDue(db: Database, userIds: readonly string[]): Promise<{ id: string; at: Date }[]> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select user_id as id, date_trunc('milliseconds', min(due_at)) + interval '1 millisecond' as at from notifications
    where ended_at is null and user_id = any(${[...userIds]}) group by user_id order by user_id`.execute(db);
  return rows;
}

export async function rescheduleWaiting(db: Database, userId: string, delivery: Delivery): Promise<void> {
  await sql`
    update notifications set due_at = ${dueAt(userId, delivery)}
    where user_id = ${userId} and ${IS_COLLECTED}`.execute(db);
}

/** Pauses after each attempt, in minutes: about a day in all. */
const PAUSES = [5, 15, 60, 180, 360, 720];
export const MAX_ATTEMPTS = PAUSES.length + 1;

/**
 * What is due for a user: one batch that failed before, or all that was collected since, as a new batch. The next attempt
 * is due before this one begins, in case that the process ends. Empty: nothing is due.
 */
export async function claimBatch(db: Database, userId: string): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    with first as (
      select batch_id from notifications
      where user_id = ${userId} and ended_at is null and due_at <= now() order by due_at, id limit 1
    ), claimed as (
      update notifications n set batch_id = coalesce(n.batch_id, ${newId()}), attempts = n.attempts + 1,
        due_at = now() + interval '1 minute' * (${PAUSES}::int[])[least(n.attempts + 1, ${PAUSES.length})]
      from first
      where n.user_id = ${userId} and n.ended_at is null and n.due_at <= now()
        and n.batch_id is not distinct from first.batch_id
      returning n.*
    )
    select id, kind, reason, actor_id, space_id, change_request_id, comment_id, subject_id, more, batch_id, attempts
    from claimed order by id`.execute(db);
  return rows;
}

export async function endNotifications(
  db: Database,
  ids: readonly number[],
  outcome: 'sent' | 'dropped' | 'failed',
): Promise<void> {
  await sql`
    update notifications set outcome = ${outcome}, ended_at = now()
    where id = any(${[...ids]}::bigint[]) and ended_at is null`.execute(db);
}

export async function deleteOldNotifications(db: Database): Promise<void> {
  await sql`delete from notifications where created_at < now() - interval '90 days'`.execute(db);
}

export type Settings = Pick<SettingsRow, 'delivery' | 'disabled_kinds'>;

/** Undefined: there is no such user. */
export async function findSettings(db: Database, userId: string): Promise<Settings | undefined> {
  const { rows } = await sql<Settings>`
    select target.delivery, target.disabled_kinds
    from (select ${userId}::text as id) caller, lateral (${sql.raw(notificationSettings.rows)}) target`.execute(
    db,
  );
  return rows[0];
}

export interface SettingsChange {
  readonly delivery?: Delivery | undefined;
  readonly on?: readonly Kind[];
  readonly off?: readonly Kind[];
}

/** One statement, so that two changes at the same time are both made. */
export async function changeSettings(
  db: Database,
  userId: string,
  { delivery, on = [], off = [] }: SettingsChange,
): Promise<void> {
  const wanted = delivery ?? null;
  await sql`
    insert into notification_settings as there (user_id, delivery, disabled_kinds)
    select id, coalesce(${wanted}::text, 'instant'), ${[...off]}::text[] from users where id = ${userId}
    on conflict (user_id) do update set version = there.version + 1,
      delivery = coalesce(${wanted}::text, there.delivery),
      disabled_kinds = array(
        select distinct kind from unnest(there.disabled_kinds || excluded.disabled_kinds) kind
        where kind <> all(${[...on]}::text[]) order by kind)`.execute(db);
}
