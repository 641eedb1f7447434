import type { EventReader, EventRow } from '../../events/index.ts';
import type { IntegrationScope } from '../policy.ts';
import { listReceivers } from './receiver-store.ts';
import { recordIntegrationEvent } from './record.ts';
import type { IntegrationEventPayload } from './store.ts';

interface Received {
  readonly scope: IntegrationScope;
  /** Null: of a space. */
  readonly siteId: string | null;
  readonly payload: IntegrationEventPayload;
}

/** Hands events of spaces and sites to the installations that cover them and have the scope for them. */
export const followForIntegrations: EventReader = {
  name: 'integrations.events',
  async read(ctx, events) {
    for (const event of events) {
      const received = receivedOf(event);
      if (!received || event.space_id === null) continue;
      const { organization_id: organizationId, space_id: spaceId } = event;
      const { scope, siteId, payload } = received;
      for (const to of await listReceivers(ctx.db, { organizationId, spaceId, siteId, scope }))
        await recordIntegrationEvent(ctx.db, {
          ...to,
          organizationId,
          payload: { ...payload, installationId: to.installationId, spaceId },
        });
    }
  },
};

function receivedOf({ type, data }: EventRow): Received | undefined {
  switch (type) {
    case 'space_content_updated':
      return { scope: 'space:content:read', siteId: null, payload: { type, revisionId: data.revisionId } };
    case 'space_visibility_updated':
      return { scope: 'space:metadata:read', siteId: null, payload: { type, ...data } };
    case 'space_gitsync_started':
    case 'space_gitsync_completed':
      return { scope: 'space:git:sync', siteId: null, payload: { type, ...withoutNulls(data) } };
    case 'page_feedback': {
      const { siteId, pageId, ...feedback } = data;
      // Nothing is known of the reader: insights store nothing of them.
      return { scope: 'page:feedback:read', siteId, payload: { type, siteId, pageId, feedback } };
    }
    default:
      return undefined;
  }
}

const withoutNulls = ({
  operationId: _ours,
  direction: _direction,
  ...data
}: Extract<EventRow, { type: 'space_gitsync_started' | 'space_gitsync_completed' }>['data']) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
