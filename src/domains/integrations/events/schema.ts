import Type from 'typebox';
import { named, Timestamp } from '../../../platform/api/schema.ts';

const Log = Type.Object({
  message: Type.String(),
  timestamp: Timestamp,
  level: Type.Enum(['info', 'error']),
});

export const IntegrationEvent = named('IntegrationEvent', {
  id: Type.String(),
  integrationId: Type.String(),
  installationId: Type.Optional(Type.String()),
  createdAt: Timestamp,
  payload: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  status: Type.Enum(['success', 'failed'], { description: '`failed`, also until it is delivered' }),
});

export const TracedEvent = Type.Object({
  event: IntegrationEvent,
  trace: Type.Object({ logs: Type.Array(Log) }),
});

export const Tunnel = Type.Object({
  tunnelUrl: Type.String({ minLength: 1, maxLength: 256, examples: ['https://tunnel.sample.example/'] }),
  all: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Events of all installations, not only those on the publishing organization',
    }),
  ),
});

export const DevelopmentMode = named('IntegrationDevelopmentMode', {
  tunnelUrl: Type.Optional(Type.String()),
  all: Type.Boolean(),
  signingSecret: Type.String({
    description:
      '`X-GitBook-Integration-Signature` of a delivery is the HMAC-SHA256 of its body, in hexadecimal',
  }),
});
