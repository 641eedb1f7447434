import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { MAX_ATTEMPTS_LOGGED, MAX_FAILING_DAYS } from '../limits.ts';
import type { Attempt, DisabledReason, RecordedEvent } from '../policy.ts';
import type { Lane } from './lane-store.ts';

/** A delivery to send, and its subscription. */
export interface DueDelivery extends RecordedEvent {
  readonly webhook_delivery_id: string;
  readonly webhook_id: string;
  readonly organization_id: string;
  readonly failures: number;
  readonly url: string;
  readonly secret_sealed: Buffer;
  /** Null: no rotation, or it was more than a day ago. */
  readonly previous_secret_sealed: Buffer | null;
  readonly responsible_id: string | null;
  /** Of the subscription, in a row. */
  readonly webhook_failures: number;
  /** The space of the subscription can be restored: until then, it cannot be viewed. */
  readonly is_target_deleted: boolean;
}

/** The first pending delivery of a lane. Undefined: none waits, the subscription is disabled or deleted, or the lane was lost. */
export async function findDue(db: Database, lane: Lane): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    select d.id as webhook_delivery_id, d.webhook_id, d.type, d.space_id, d.data, d.occurred_at, d.failures,
      w.organization_id, w.url, w.secret_sealed, w.responsible_id, w.failures as webhook_failures,
      case when w.previous_secret_until > now() then w.previous_secret_sealed end as previous_secret_sealed,
      exists (select from spaces s where s.id = w.space_id and s.deleted_at is not null) as is_target_deleted
    from webhook_lanes l join webhooks w on w.id = l.webhook_id and w.enabled
    join webhook_deliveries d on d.webhook_id = l.webhook_id and d.resource = l.resource and d.status = 'pending'
    where l.webhook_id = ${lane.webhook_id} and l.resource = ${lane.resource} and l.claim = ${lane.claim}
    order by d.number limit 1`.execute(db);
  return rows[0];
}

const logged = (attempt: Attempt) => sql`
  (case when jsonb_array_length(attempts) >= ${sql.lit(MAX_ATTEMPTS_LOGGED)} then attempts - 0 else attempts end)
    || ${JSON.stringify([attempt])}::jsonb`;

/** Whether the subscription has had no success for days. */
const IS_HOPELESS = sql`coalesce(failing_since < now() - make_interval(days => ${sql.lit(MAX_FAILING_DAYS)}), false)`;

const ADD_FAILURE = sql`
  update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, now()),
    enabled = not ${IS_HOPELESS}, disabled_reason = case when ${IS_HOPELESS} then 'failing' end,
    version = version + (${IS_HOPELESS})::int, updated_at = case when ${IS_HOPELESS} then now() else updated_at end`;

// Each of these is one statement, which locks the subscription, the lane and the delivery in the order of a deletion.

export async function recordSuccess(db: Database, due: DueDelivery, attempt: Attempt): Promise<void> {
  await sql`
    with health as (
      update webhooks set failures = 0, failing_since = null where id = ${due.webhook_id} and failures > 0 returning 1)
    update webhook_deliveries set status = 'delivered', attempts = ${logged(attempt)}
    where id = ${due.webhook_delivery_id} and status = 'pending' and (select count(*) from health) >= 0`.execute(
    db,
  );
}

/** The last attempt. */
export async function recordEnd(db: Database, due: DueDelivery, attempt: Attempt): Promise<void> {
  await sql`
    with health as (${ADD_FAILURE} where id = ${due.webhook_id} and enabled returning 1)
    update webhook_deliveries set status = 'failed', attempts = ${logged(attempt)}
    where id = ${due.webhook_delivery_id} and status = 'pending' and (select count(*) from health) >= 0`.execute(
    db,
  );
}

/** The lane waits, and is released. A process that has lost it changes nothing: another one has made an attempt. */
export async function recordRetry(
  db: Database,
  due: DueDelivery,
  lane: Lane,
  delayMs: number,
  attempt: Attempt,
): Promise<void> {
  await sql`
    with health as (${ADD_FAILURE} where id = ${due.webhook_id} and enabled returning 1),
    waiting as (
      update webhook_lanes set due_at = now() + ${delayMs}::float8 * interval '1 millisecond', lease_until = null
      where webhook_id = ${lane.webhook_id} and resource = ${lane.resource} and claim = ${lane.claim}
        and (select count(*) from health) >= 0 returning 1)
    update webhook_deliveries set failures = failures + 1, attempts = ${logged(attempt)}
    where id = ${due.webhook_delivery_id} and status = 'pending' and exists (select from waiting)`.execute(
    db,
  );
}

export async function withholdDelivery(
  db: Database,
  { webhook_delivery_id: id }: DueDelivery,
): Promise<void> {
  await sql`update webhook_deliveries set status = 'withheld' where id = ${id} and status = 'pending'`.execute(
    db,
  );
}

/** Unless it was disabled or changed hands meanwhile. */
export async function disableWebhook(
  db: Database,
  { webhook_id: id, responsible_id: responsibleId }: DueDelivery,
  reason: DisabledReason,
): Promise<void> {
  await sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, version = version + 1, updated_at = now()
    where id = ${id} and enabled and responsible_id is not distinct from ${responsibleId}`.execute(db);
}
