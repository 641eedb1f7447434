import type { Addresses } from '../../platform/api/context.ts';
import { presentUser } from '../users/index.ts';
import type { DeliveryRow, ListedDelivery, WebhookRow } from './policy.ts';

const pathOf = ({
  organization_id: organization,
  webhook_id: id,
}: Pick<WebhookRow, 'organization_id' | 'webhook_id'>) => `/v1/orgs/${organization}/webhooks/${id}`;

/** `secret`: only where it was just created. */
export const presentWebhook = (row: WebhookRow, addresses: Addresses, secret?: string) => ({
  object: 'webhook' as const,
  id: row.webhook_id,
  url: row.url,
  description: row.description ?? undefined,
  target: targetOf(row),
  eventTypes: row.event_types === null ? null : [...row.event_types],
  enabled: row.enabled,
  disabledReason: row.disabled_reason ?? undefined,
  failingSince: row.failing_since?.toISOString(),
  responsible: presentUser(row.responsible, addresses),
  secret,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: { location: addresses.of(pathOf(row)) },
});

function targetOf({ target_space_id: space, target_site_id: site }: WebhookRow) {
  if (space !== null) return { type: 'space' as const, space };
  if (site !== null) return { type: 'site' as const, site };
  return { type: 'organization' as const };
}

const presentCommon = (row: ListedDelivery, addresses: Addresses) => ({
  object: 'webhook-delivery' as const,
  id: row.webhook_delivery_id,
  webhook: row.webhook_id,
  eventType: row.type,
  status: row.status,
  createdAt: row.occurred_at.toISOString(),
  nextAttemptAt: row.next_attempt_at?.toISOString(),
  urls: { location: addresses.of(`${pathOf(row)}/deliveries/${row.webhook_delivery_id}`) },
});

export const presentDelivery = (row: ListedDelivery, addresses: Addresses) => ({
  ...presentCommon(row, addresses),
  attemptCount: row.attempt_count,
});

export const presentDetails = <Message>(
  row: DeliveryRow,
  addresses: Addresses,
  message: Message | undefined,
) => ({
  ...presentCommon(row, addresses),
  attempts: [...row.attempts],
  payload: message ?? null,
});
