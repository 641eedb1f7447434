import type { IntegrationEventRow } from './policy.ts';

export const presentEvent = (row: IntegrationEventRow) => ({
  id: row.event_id,
  integrationId: row.integration_id,
  ...(row.installation_id !== null && { installationId: row.installation_id }),
  createdAt: row.created_at.toISOString(),
  payload: row.payload,
  status: row.status ?? ('failed' as const),
});
