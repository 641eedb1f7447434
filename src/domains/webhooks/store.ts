import { sql } from 'kysely';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { LOG_DAYS, MAX_WEBHOOKS, ROTATION_HOURS } from './limits.ts';
import {
  webhookDeliveries,
  webhooks,
  type DeliveryRow,
  type DeliveryStatus,
  type ListedDelivery,
  type WebhookRow,
} from './policy.ts';

export interface WebhookFields {
  readonly url?: string;
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly event_types?: readonly string[] | null;
}

export interface NewWebhook extends WebhookFields {
  readonly id: string;
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly site_id: string | null;
  readonly url: string;
  readonly secret_sealed: Buffer;
  readonly responsible_id: string;
}

/** False if the organization has as many as it may. One request of an organization counts at a time. */
export async function insertWebhook(db: Database, webhook: NewWebhook): Promise<boolean> {
  const { organization_id: organizationId } = webhook;
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ${organizationId}, 43))`.execute(db);
  const { count } = await db
    .selectFrom('webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_WEBHOOKS) return false;
  await db.insertInto('webhooks').values(columnsOf(webhook)).execute();
  return true;
}

const columnsOf = <Fields extends WebhookFields>({ event_types: types, ...fields }: Fields) => ({
  ...fields,
  ...(types === undefined ? {} : { event_types: types === null ? null : [...types] }),
});

/** Who changes a subscription answers for it: it receives what this user may view. Enabling it forgets its failures. */
export async function updateWebhook(
  db: Database,
  webhookId: string,
  responsibleId: string,
  fields: WebhookFields,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({
      ...columnsOf(fields),
      ...(fields.enabled === undefined ? {} : { disabled_reason: null, failures: 0, failing_since: null }),
      responsible_id: responsibleId,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', webhookId)
    .execute();
}

/** The secret until now signs beside the new one for a day. */
export async function rotateSecret(db: Database, webhookId: string, sealed: Buffer): Promise<void> {
  await sql`
    update webhooks set previous_secret_sealed = secret_sealed,
      previous_secret_until = now() + make_interval(hours => ${sql.lit(ROTATION_HOURS)}),
      secret_sealed = ${sealed}, version = version + 1, updated_at = now()
    where id = ${webhookId}`.execute(db);
}

export const deleteWebhook = (db: Database, webhookId: string) =>
  db.deleteFrom('webhooks').where('id', '=', webhookId).execute();

export const getWebhook = (db: Database, callerId: string, webhookId: string): Promise<WebhookRow> =>
  visibleRows(db, webhooks, callerId)
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow();

/** Oldest first. */
export const listWebhooks = (db: Database, callerId: string, organizationId: string, page: PageRequest) =>
  fetchPage(
    visibleRows(db, webhooks, callerId).selectAll().where('organization_id', '=', organizationId),
    page,
    {
      by: ['created_at', 'webhook_id'],
      direction: 'asc',
      key: (row: WebhookRow) => [row.created_at.toISOString(), row.webhook_id],
    },
  );

export const getDelivery = (db: Database, callerId: string, deliveryId: string): Promise<DeliveryRow> =>
  visibleRows(db, webhookDeliveries, callerId)
    .selectAll()
    .where('webhook_delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow();

interface DeliveryFilter {
  readonly webhookId: string;
  readonly status: DeliveryStatus | undefined;
  readonly type: string | undefined;
}

const LISTED = [
  'organization_id',
  'webhook_id',
  'webhook_enabled',
  'webhook_delivery_id',
  'number',
  'resource',
  'type',
  'space_id',
  'occurred_at',
  'status',
  'attempt_count',
  'next_attempt_at',
] as const;

/** The latest first. */
export function listDeliveries(
  db: Database,
  callerId: string,
  { webhookId, status, type }: DeliveryFilter,
  page: PageRequest,
) {
  let rows = visibleRows(db, webhookDeliveries, callerId).select(LISTED).where('webhook_id', '=', webhookId);
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (type !== undefined) rows = rows.where('type', '=', type);
  return fetchPage(rows, page, {
    by: [sql`number::bigint`, 'webhook_delivery_id'],
    direction: 'desc',
    key: (row: ListedDelivery) => [row.number, row.webhook_delivery_id],
  });
}

export async function deleteOldDeliveries(db: Database): Promise<void> {
  await sql`
    delete from webhook_deliveries where created_at < now() - make_interval(days => ${sql.lit(LOG_DAYS)})`.execute(
    db,
  );
}
