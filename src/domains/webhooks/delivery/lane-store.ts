import { sql } from 'kysely';
import { PIPELINED } from '../../../platform/database/client.ts';
import type { Database } from '../../../platform/database/connection.ts';
import {
  MANY_FAILURES,
  MAX_RUNNING,
  MAX_RUNNING_OF_ORGANIZATION,
  MAX_RUNNING_OF_WEBHOOK,
} from '../limits.ts';

/** The pending deliveries of a subscription about one resource, claimed by this process. */
export interface Lane {
  readonly webhook_id: string;
  readonly resource: string;
  readonly claim: number;
}

/** Renewed every second. What a process that ended has claimed is taken over after this. */
const LEASE = sql`interval '4 seconds'`;

const isHeld = ({ webhook_id, resource, claim }: Lane) =>
  sql`webhook_id = ${webhook_id} and resource = ${resource} and claim = ${claim}`;

/**
 * Takes lanes that are due, within the limits of subscriptions and organizations; those with the fewest running requests first,
 * so that a receiver that never answers takes no place from others.
 */
export const claimLanes = (db: Database): Promise<Lane[]> =>
  db.transaction().execute(async (transaction) => {
    await sql`${PIPELINED} select pg_advisory_xact_lock(hashtextextended('claim webhook lanes', 43))`.execute(
      transaction,
    );
    const { rows } = await sql<Lane>`
      with running as (
        select l.webhook_id, w.organization_id, count(*) as lanes
        from webhook_lanes l join webhooks w on w.id = l.webhook_id where l.lease_until > now()
        group by l.webhook_id, w.organization_id
      ), due as (
        select l.webhook_id, l.resource, l.due_at, w.organization_id, w.failures,
          coalesce(r.lanes, 0) + row_number() over (partition by l.webhook_id order by l.due_at) as place
        from webhook_lanes l join webhooks w on w.id = l.webhook_id left join running r on r.webhook_id = l.webhook_id
        where l.due_at <= now() and coalesce(l.lease_until <= now(), true) and w.enabled
      ), admitted as (
        select d.webhook_id, d.resource, d.due_at, coalesce(r.lanes, 0)
          + row_number() over (partition by d.organization_id order by d.place, d.due_at) as place
        from due d left join (
          select organization_id, sum(lanes) as lanes from running group by organization_id) r
          on r.organization_id = d.organization_id
        where d.place <= case when d.failures >= ${sql.lit(MANY_FAILURES)} then 1 else ${sql.lit(MAX_RUNNING_OF_WEBHOOK)} end
      ), next as (
        select webhook_id, resource from admitted where place <= ${sql.lit(MAX_RUNNING_OF_ORGANIZATION)}
        order by place, due_at
        limit greatest(0, ${sql.lit(MAX_RUNNING)} - (select coalesce(sum(lanes), 0) from running))
      ), locked as (
        select l.webhook_id, l.resource from webhook_lanes l join next n using (webhook_id, resource)
        for update of l skip locked
      )
      update webhook_lanes l set lease_until = now() + ${LEASE}, claim = claim + 1
      from locked k where l.webhook_id = k.webhook_id and l.resource = k.resource
      returning l.webhook_id, l.resource, l.claim`.execute(transaction);
    return rows;
  });

export async function renewLeases(db: Database, lanes: readonly Lane[]): Promise<void> {
  await sql`
    with mine as (
      select l.webhook_id, l.resource from webhook_lanes l
      join jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as m (webhook_id text, resource text, claim integer)
        using (webhook_id, resource, claim)
      order by l.webhook_id, l.resource for update of l
    )
    update webhook_lanes l set lease_until = now() + ${LEASE}
    from mine m where l.webhook_id = m.webhook_id and l.resource = m.resource`.execute(db);
}

/** Ends the claim of a lane. One without pending deliveries is removed: checked under its lock, as others add to it. */
export const releaseLane = (db: Database, lane: Lane): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const locked = await sql`select from webhook_lanes where ${isHeld(lane)} for update`.execute(transaction);
    if (locked.rows.length === 0) return;
    await sql`update webhook_lanes set lease_until = null where ${isHeld(lane)}`.execute(transaction);
    await sql`
      delete from webhook_lanes l where ${isHeld(lane)} and not exists (
        select from webhook_deliveries d
        where d.webhook_id = l.webhook_id and d.resource = l.resource and d.status = 'pending')`.execute(
      transaction,
    );
  });

/** Milliseconds until a lane can be claimed: it is due, and no other process delivers it. Undefined: there is none. */
export async function nextLaneMs(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(greatest(l.due_at, coalesce(l.lease_until, l.due_at))) - now())::float8 * 1000 as ms
    from webhook_lanes l join webhooks w on w.id = l.webhook_id where w.enabled`.execute(db);
  const ms = rows[0]?.ms ?? undefined;
  return ms === undefined ? undefined : Math.max(0, ms);
}
