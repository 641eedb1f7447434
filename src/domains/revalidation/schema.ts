import Type from 'typebox';
import { named, Timestamp } from '../../platform/api/schema.ts';

const MIN_SECRET = 16;

const Secret = Type.String({
  minLength: MIN_SECRET,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Signs the requests. Default: the present one, or a new one, which the response contains',
  examples: [undefined],
});

export const Revalidation = named('SiteRevalidation', {
  object: Type.Literal('site-revalidation'),
  url: Type.Optional(Type.String({ description: 'Absent: nothing is sent' })),
  secret: Type.Optional(Type.String({ description: 'Only if this request created it' })),
  pending: Type.Boolean({ description: 'Whether there are changes that were not delivered' }),
  lastAttempt: Type.Optional(
    Type.Object({
      at: Timestamp,
      status: Type.Optional(Type.Number({ description: 'Of the response' })),
      error: Type.Optional(Type.String({ description: 'Why there was no response' })),
    }),
  ),
});

export const NewRevalidation = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Absolute URL, with `http` or `https`',
    examples: ['https://renderer.example/~gitbook/revalidate'],
  }),
  secret: Type.Optional(Secret),
});
