import { sql } from 'kysely';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { integrationEvents, type EventLog, type IntegrationEventRow } from './policy.ts';

export const listEvents = (db: Database, callerId: string, integrationId: string, page: PageRequest) =>
  fetchPage(
    visibleRows(db, integrationEvents, callerId).selectAll().where('integration_id', '=', integrationId),
    page,
    {
      by: ['created_at', 'event_id'],
      direction: 'desc',
      key: (row: IntegrationEventRow) => [row.created_at.toISOString(), row.event_id],
      size: { db, of: sql`pg_column_size(payload)` },
    },
  );

export type IntegrationEventPayload = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface NewEvent {
  readonly integrationId: string;
  readonly installationId: string;
  /** Of the installation. */
  readonly organizationId: string;
  readonly payload: IntegrationEventPayload;
}

const UNDELIVERED =
  'Not delivered: this server does not run scripts, and no tunnel of development mode receives events of this installation.';

/** The id, if there is a tunnel to deliver it to. */
export async function insertEvent(db: Database, event: NewEvent): Promise<string | undefined> {
  const id = newId();
  const log: EventLog = { message: UNDELIVERED, timestamp: new Date().toISOString(), level: 'error' };
  const { rows } = await sql<{ status: string | null }>`
    insert into integration_events (id, integration_id, installation_id, payload, status, logs)
    select ${id}, n.id, ${event.installationId}, ${JSON.stringify({ ...event.payload, eventId: id })}::jsonb,
      case when not has_tunnel then 'failed' end,
      case when has_tunnel then '[]' else ${JSON.stringify([log])}::jsonb end
    from integrations n
    cross join lateral (
      select n.tunnel_url is not null and (n.tunnel_all or n.organization_id = ${event.organizationId})
        as has_tunnel) t
    where n.id = ${event.integrationId}
    returning status`.execute(db);
  return rows[0]?.status === null ? id : undefined;
}

/** An event that waits, and where its integration receives it. */
export const findWaiting = (db: Database, eventId: string) =>
  db
    .selectFrom('integration_events as e')
    .innerJoin('integrations as n', 'n.id', 'e.integration_id')
    .select([
      'e.payload',
      'e.attempts',
      'n.name',
      'n.tunnel_url',
      'n.signing_secret_sealed',
      'n.id as integration_id',
    ])
    .where('e.id', '=', eventId)
    .where('e.status', 'is', null)
    .executeTakeFirst();

export async function recordAttempt(
  db: Database,
  eventId: string,
  status: 'success' | 'failed' | null,
  log: EventLog,
): Promise<void> {
  await db
    .updateTable('integration_events')
    .set({
      status,
      attempts: sql`attempts + 1`,
      logs: sql`logs || ${JSON.stringify([log])}::jsonb`,
    })
    .where('id', '=', eventId)
    .where('status', 'is', null)
    .execute();
}

export async function setTunnel(
  db: Database,
  integrationId: string,
  url: string | null,
  isForAll: boolean,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ tunnel_url: url, tunnel_all: isForAll })
    .where('id', '=', integrationId)
    .execute();
}

export const getTunnel = (db: Database, integrationId: string) =>
  db
    .selectFrom('integrations')
    .select(['tunnel_url', 'tunnel_all', 'signing_secret_sealed'])
    .where('id', '=', integrationId)
    .executeTakeFirstOrThrow();

export const deleteOldEvents = (db: Database) =>
  db
    .deleteFrom('integration_events')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
