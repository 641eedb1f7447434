import { resource, type Authorised } from '../../access/index.ts';
import { integrations } from '../policy.ts';

export interface EventLog {
  readonly message: string;
  readonly timestamp: string;
  readonly level: 'info' | 'error';
}

export interface IntegrationEventRow extends Authorised {
  readonly integration_name: string;
  readonly integration_id: string;
  readonly event_id: string;
  readonly installation_id: string | null;
  readonly payload: object;
  readonly status: 'success' | 'failed' | null;
  readonly logs: readonly EventLog[];
  readonly created_at: Date;
}

/** Admins of its publisher see what an integration received. */
export const integrationEvents = resource<IntegrationEventRow>()({
  name: 'Event of an integration',
  key: 'event_id',
  rows: `
    select n.name as integration_name, n.id as integration_id, e.id as event_id, e.installation_id, e.payload, e.status,
      e.logs, e.created_at, mine.role
    from members mine
    join integrations n on n.organization_id = mine.organization_id
    join integration_events e on e.integration_id = n.id
    where mine.user_id = caller.id and not mine.disabled and mine.role = 'admin'`,
  match: 'n.name = :within and e.id = any(:ids)',
  within: integrations,
  needs: { view: 'admin' },
});
