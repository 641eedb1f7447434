import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { sites } from '../sites/index.ts';
import { spaces } from '../spaces/index.ts';
import { User } from '../users/index.ts';
import { MAX_WEBHOOKS } from './limits.ts';
import { EVENT_TYPES, TEST } from './messages/policy.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Absolute URL, with `http` or `https`. Private addresses are refused',
});

const EventTypes = nullable(
  Type.Array(Type.Enum(EVENT_TYPES), {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    uniqueItems: true,
    description: '`null`: all types, also those of later versions',
  }),
);

const writable = {
  url: Type.Optional(Url),
  description: Type.Optional(nullable(line(1, 255))),
  enabled: Type.Optional(
    Type.Boolean({ description: 'While false, nothing is sent and events are not kept' }),
  ),
  eventTypes: Type.Optional(EventTypes),
};

export const NewWebhook = Type.Object({
  ...writable,
  url: Url,
  target: Type.Union(
    [
      Type.Object({ type: Type.Literal('organization') }),
      Type.Object({ type: Type.Literal('space'), space: idOf(spaces, 'admin') }),
      Type.Object({ type: Type.Literal('site'), site: idOf(sites, 'admin') }),
    ],
    { description: `Whose events are sent. An organization has at most ${MAX_WEBHOOKS} webhooks` },
  ),
});

export const WebhookPatch = Type.Object(writable);

export const Webhook = named('Webhook', {
  object: Type.Literal('webhook'),
  id: Type.String(),
  url: Type.String(),
  description: Type.Optional(Type.String()),
  target: Type.Object({
    type: Type.Enum(['organization', 'space', 'site']),
    space: Type.Optional(Type.String()),
    site: Type.Optional(Type.String()),
  }),
  eventTypes: nullable(Type.Array(Type.String())),
  enabled: Type.Boolean(),
  disabledReason: Type.Optional(
    Type.Enum(['gone', 'failing', 'responsible-lost-access'], {
      description:
        'Why the server disabled it. `gone`: the receiver answered 410. `failing`: no success for five days. ' +
        '`responsible-lost-access`: the responsible user may no longer manage it',
    }),
  ),
  failingSince: Type.Optional(Timestamp),
  responsible: User,
  secret: Type.Optional(
    Type.String({ description: 'Only in the answer that created it: it is never shown again' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Type.Object({ location: Uri }),
});

const Status = Type.Enum(['pending', 'delivered', 'failed', 'withheld'], {
  description:
    '`failed`: all attempts failed. `withheld`: the responsible user may not view what the event is about',
});

const delivery = {
  object: Type.Literal('webhook-delivery'),
  id: Type.String({ description: 'The header `webhook-id`: the same for all attempts' }),
  webhook: Type.String(),
  eventType: Type.String(),
  status: Status,
  createdAt: Timestamp,
  nextAttemptAt: Type.Optional(Timestamp),
  urls: Type.Object({ location: Uri }),
};

export const WebhookDelivery = named('WebhookDelivery', {
  ...delivery,
  attemptCount: Type.Integer({ description: 'The last 30 are kept' }),
});

export const WebhookDeliveryDetails = named('WebhookDeliveryDetails', {
  ...delivery,
  attempts: Type.Array(
    Type.Object({
      at: Timestamp,
      durationMs: Type.Integer(),
      status: Type.Optional(Type.Integer({ description: 'Of the response' })),
      error: Type.Optional(Type.String({ description: 'Why there was no response' })),
      excerpt: Type.Optional(Type.String({ description: 'The beginning of a response that was no success' })),
    }),
  ),
  payload: nullable(
    Type.Object(
      {
        type: Type.String(),
        id: Type.String(),
        timestamp: Timestamp,
        data: Type.Object({}, { additionalProperties: true }),
      },
      { description: 'As you may view it. `null`: you may not view what the event is about' },
    ),
  ),
});

export const ListDeliveries = Type.Object({
  ...listQuery,
  status: Type.Optional(Status),
  eventType: Type.Optional(
    Type.Enum([...EVENT_TYPES, TEST], { description: 'Deliveries of this type only' }),
  ),
});

export const ReplayFailed = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Deliveries of events from then on' }),
});

export const Replayed = named('ReplayedWebhookDeliveries', {
  count: Type.Integer({ description: 'How many deliveries are repeated' }),
});
