import Type from 'typebox';
import { idOf } from '../../platform/resource.ts';
import { listQuery, named, Timestamp, Uri } from '../../platform/schema.ts';
import { primaryContent, revisions } from './policy.ts';

/** An id inside a revision: looked up in what the revision holds, and nowhere else. */
export const entryId = (kind: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', description: `id of a ${kind}` });

const Variables = Type.Record(
  Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,63}$' }),
  Type.Union([Type.String({ maxLength: 256 }), Type.Number(), Type.Boolean()]),
);

const GitBlob = Type.Object({ oid: Type.String(), path: Type.String() });

/** What a link points at; its forms are those of the public API. */
export const ContentRef = Type.Unsafe<{ readonly kind: string }>({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' } },
  additionalProperties: true,
  title: 'ContentRef',
});

const Layout = Type.Object({
  width: Type.Enum(['default', 'wide']),
  cover: Type.Boolean(),
  coverSize: Type.Enum(['hero', 'full']),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
  metadata: Type.Boolean(),
});

const Cover = Type.Object({
  ref: Type.Optional(ContentRef),
  refDark: Type.Optional(ContentRef),
  yPos: Type.Number(),
});
