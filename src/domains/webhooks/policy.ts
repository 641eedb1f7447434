import { effectiveRole, resource, SPACE, type Authorised } from '../access/index.ts';
import { organizations } from '../organizations/index.ts';
import { SITE_ROLE } from '../sites/index.ts';
import { userOf, type UserColumns } from '../users/index.ts';

export type DisabledReason = 'gone' | 'failing' | 'responsible-lost-access';
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'withheld';

interface OfWebhook extends Authorised {
  readonly organization_id: string;
  readonly webhook_id: string;
}

export interface WebhookRow extends OfWebhook {
  /** The target. Both null: the organization. */
  readonly target_space_id: string | null;
  readonly target_site_id: string | null;
  readonly url: string;
  readonly description: string | null;
  /** Null: all. */
  readonly event_types: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly responsible: UserColumns | null;
  readonly failing_since: Date | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Organization admins see all subscriptions; admins of a space or site see those of it. For others there are none. */
const rowsWith = (columns: string, joined: string) => `
  select w.organization_id, w.id as webhook_id, ${columns}, r.role
  from members mine
  join webhooks w on w.organization_id = mine.organization_id
  left join spaces s on s.id = w.space_id
  left join collections c on c.id = s.parent_id
  left join sites t on t.id = w.site_id
  cross join lateral (select case when mine.role = 'admin' then mine.role
    when s.id is not null then ${effectiveRole(SPACE)} when t.id is not null then ${SITE_ROLE} end as role) r
  ${joined}
  where mine.user_id = caller.id and not mine.disabled and s.deleted_at is null and r.role = 'admin'`;

export const webhooks = resource<WebhookRow>()({
  name: 'Webhook',
  key: 'webhook_id',
  rows: rowsWith(
    `w.space_id as target_space_id, w.site_id as target_site_id, w.url, w.description, w.event_types, w.enabled,
    w.disabled_reason, ${userOf('w.responsible_id')} as responsible, w.failing_since, w.version, w.created_at,
    w.updated_at`,
    '',
  ),
  match: 'w.organization_id = :within and w.id = any(:ids)',
  within: organizations,
  needs: { view: 'admin', admin: 'admin' },
});

export interface Attempt {
  readonly at: string;
  readonly durationMs: number;
  readonly status?: number;
  readonly error?: string;
  readonly excerpt?: string;
}

/** What a message is composed of. */
export interface RecordedEvent {
  readonly type: string;
  readonly space_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
}

export interface DeliveryRow extends OfWebhook, RecordedEvent {
  readonly webhook_enabled: boolean;
  readonly webhook_delivery_id: string;
  readonly number: string;
  readonly resource: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly attempt_count: number;
  /** Of a delivery that failed and is repeated. */
  readonly next_attempt_at: Date | null;
}

/** A list has no attempts, which may be large. */
export type ListedDelivery = Omit<DeliveryRow, 'attempts' | 'data' | 'role'>;

export const webhookDeliveries = resource<DeliveryRow>()({
  name: 'Webhook delivery',
  key: 'webhook_delivery_id',
  rows: rowsWith(
    `w.enabled as webhook_enabled, d.id as webhook_delivery_id, d.number::text as number, d.resource, d.type, d.space_id, d.data, d.occurred_at, d.status, d.attempts, jsonb_array_length(d.attempts) as attempt_count,
    case when d.status = 'pending' and d.failures > 0 and w.enabled then (
      select l.due_at from webhook_lanes l where l.webhook_id = d.webhook_id and l.resource = d.resource) end as next_attempt_at`,
    'join webhook_deliveries d on d.webhook_id = w.id',
  ),
  match: 'd.webhook_id = :within and d.id = any(:ids)',
  within: webhooks,
  needs: { view: 'admin', admin: 'admin' },
});
