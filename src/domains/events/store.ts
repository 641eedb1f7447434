import { sql, type RawBuilder } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { EventName, EventPayloads, EventRow, NewEvent } from './schema.ts';

/** Inside the transaction in which it happened: one is never committed without the other. */
export async function recordEvent(db: Database, event: NewEvent): Promise<void> {
  const { type, organizationId, spaceId, data } = event;
  await sql`${PIPELINED}
    insert into events (type, organization_id, space_id, data)
    values (${type}, ${organizationId}, ${spaceId}, ${JSON.stringify(data)})`.execute(db);
}

/** SQL expressions over the rows of a statement. */
type Expression = RawBuilder<unknown>;

interface EventSource<Name extends EventName> {
  readonly organizationId: Expression;
  readonly spaceId: Expression;
  readonly data: { readonly [Member in keyof EventPayloads[Name]]: Expression };
  /** The `from` clause: one row for each event. */
  readonly from: Expression;
}

/**
 * Part of a statement that changes something: inserts an event for each row that it changed, and none where it changed
 * nothing.
 */
export function insertEvents<Name extends EventName>(type: Name, source: EventSource<Name>): Expression {
  const { organizationId, spaceId, data, from } = source;
  const members = Object.entries<Expression>(data).flatMap(([name, value]) => [sql.lit(name), value]);
  return sql`
    insert into events (organization_id, space_id, type, data)
    select ${organizationId}, ${spaceId}, ${sql.lit(type)}, jsonb_build_object(${sql.join(members)}) ${from}`;
}

/** Assigns sequence numbers to new events, one process at a time. The others find no new events then. */
export async function orderEvents(db: Database): Promise<void> {
  await sql`
    with mine as (select pg_try_advisory_xact_lock(44) as ok)
    update events set sequence = next.sequence
    from (select id, nextval('event_sequence') as sequence
      from (select id from events, mine where sequence is null and ok order by id limit 1000) new) next
    where events.id = next.id`.execute(db);
}

/** The next events for a reader, in order. Until the transaction ends, no other process reads for it. */
export async function takeEvents(db: Database, reader: string, limit: number): Promise<EventRow[]> {
  await sql`insert into event_readers (name) values (${reader}) on conflict do nothing`.execute(db);
  const { rows } = await sql<EventRow>`
    select e.id, e.sequence, e.organization_id, e.space_id, e.type, e.data, e.at
    from (select last from event_readers where name = ${reader} for update) r
    cross join lateral (select * from events where sequence > r.last order by sequence limit ${limit}) e
    order by e.sequence`.execute(db);
  return rows;
}

export async function markRead(db: Database, reader: string, last: number): Promise<void> {
  await db.updateTable('event_readers').set({ last }).where('name', '=', reader).execute();
}

/** Deletes events that every reader has read, after a week. */
export async function deleteReadEvents(db: Database): Promise<void> {
  await sql`
    delete from events
    where at < now() - interval '7 days' and sequence <= coalesce((select min(last) from event_readers), 0)`.execute(
    db,
  );
}
