import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';

/** Something that happened, for whoever wants to know. */
export interface NewEvent {
  readonly type: string;
  readonly organizationId: string;
  readonly spaceId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventRow {
  /** Of two that were announced under the same lock, the later one has the higher. */
  readonly id: number;
  readonly sequence: number;
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Inside the transaction in which it happened: there is never one without the other. */
export async function announce(db: Database, event: NewEvent): Promise<void> {
  const { type, organizationId, spaceId, data } = event;
  await sql`${PIPELINED}
    insert into events (type, organization_id, space_id, data)
    values (${type}, ${organizationId}, ${spaceId}, ${JSON.stringify(data)})`.execute(db);
}

/** Puts what is new in order. One process at a time: the others have nothing to do then. */
export async function orderEvents(db: Database): Promise<void> {
  await sql`
    with mine as (select pg_try_advisory_xact_lock(44) as ok)
    update events set sequence = next.sequence
    from (select id, nextval('event_sequence') as sequence
      from (select id from events, mine where sequence is null and ok order by id limit 1000) new) next
    where events.id = next.id`.execute(db);
}

/** The next events for a reader, in order. Until the transaction ends, nobody else reads for it. */
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

/** What every reader has read, and nobody needs any more. */
export async function deleteReadEvents(db: Database): Promise<void> {
  await sql`
    delete from events
    where at < now() - interval '7 days' and sequence <= coalesce((select min(last) from event_readers), 0)`.execute(
    db,
  );
}
