import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { TEST } from '../messages/policy.ts';

/** An event, with the space or site that it is about. */
export interface FollowedEvent {
  readonly type: string;
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly data: object;
  readonly at: string;
  readonly of_space: string | null;
  readonly of_site: string | null;
  readonly resource: string;
}

const NEW_ID = sql`'msg_' || replace(gen_random_uuid()::text, '-', '')`;

/**
 * Lanes are locked in one order by all statements that lock several. Locking one that exists keeps its job from removing it:
 * the job sees the new delivery instead.
 */
const addLanes = (from: string, dueAt: string) => sql`
  insert into webhook_lanes (webhook_id, resource)
  select distinct webhook_id, resource from ${sql.raw(from)} order by webhook_id, resource
  on conflict (webhook_id, resource) do update set due_at = ${sql.raw(dueAt)}`;

/** The events in their order, for each subscription that asks for them. Returns whether there is any. */
export async function insertDeliveries(db: Database, events: readonly FollowedEvent[]): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with event as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as (type text, organization_id text,
        space_id text, data jsonb, at timestamptz, of_space text, of_site text, resource text)) with ordinality
        as e (type, organization_id, space_id, data, at, of_space, of_site, resource, place)
    ), inserted as (
      insert into webhook_deliveries (id, webhook_id, resource, type, space_id, data, occurred_at)
      select ${NEW_ID}, w.id, e.resource, e.type, e.space_id, e.data, e.at
      from event e join webhooks w on w.organization_id = e.organization_id and w.enabled and w.created_at <= e.at
        and (w.space_id is null or w.space_id = e.of_space) and (w.site_id is null or w.site_id = e.of_site)
        and (w.event_types is null or e.type = any(w.event_types))
      order by e.place
      returning webhook_id, resource
    )
    ${addLanes('inserted', 'webhook_lanes.due_at')}`.execute(db);
  return numAffectedRows > 0n;
}

/** A message without an event. Returns its id. */
export async function insertTest(db: Database, webhookId: string, at: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with inserted as (
      insert into webhook_deliveries (id, webhook_id, resource, type, data, occurred_at)
      select new.id, ${webhookId}, 'test:' || new.id, ${TEST}, '{}', ${at} from (select ${NEW_ID} as id) new
      returning id, webhook_id, resource
    ), lane as (${addLanes('inserted', 'now()')})
    select id from inserted`.execute(db);
  return rows[0]?.id ?? '';
}

/** Sends deliveries again, with all attempts; those that wait for a retry, at once. Returns how many. */
export async function replayDeliveries(
  db: Database,
  webhookId: string,
  which: { readonly id: string } | { readonly failedSince: Date },
): Promise<number> {
  const condition =
    'id' in which ? sql`id = ${which.id}` : sql`status = 'failed' and occurred_at >= ${which.failedSince}`;
  const { rows } = await sql<{ count: number }>`
    with replayed as (
      update webhook_deliveries set status = 'pending', failures = 0
      where webhook_id = ${webhookId} and ${condition} returning webhook_id, resource
    ), lanes as (${addLanes('replayed', 'now()')})
    select count(*)::int as count from replayed`.execute(db);
  return rows[0]?.count ?? 0;
}
