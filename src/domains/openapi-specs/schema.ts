import Type from 'typebox';
import { named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { MAX_SPECIFICATION } from './limits.ts';

const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description: 'The name by which pages refer to the specification',
});

const Visibility = Type.Enum(['private', 'public'], {
  description: '`public`: anybody may download it, without a token',
});

export const OpenAPISpec = named('OpenAPISpec', {
  object: Type.Literal('openapi-spec'),
  id: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  slug: Type.String(),
  sourceURL: Type.Optional(Uri),
  processingState: Type.Enum(['pending', 'progress', 'complete']),
  visibility: Visibility,
  lastVersion: Type.Optional(Type.String()),
  lastProcessedAt: Type.Optional(Timestamp),
  lastProcessErrorCode: Type.Optional(Type.Enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])),
  lastProcessedErrors: Type.Optional(
    Type.Array(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) }), {
      description: 'Without an error code: faults that readers of the specification may meet',
    }),
  ),
  lastProcessedErrorCount: Type.Integer(),
  permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: Type.Object({ location: Uri, app: Uri, published: Type.Optional(Uri) }),
});

export const OpenAPISpecVersion = named('OpenAPISpecVersion', {
  object: Type.Literal('openapi-spec-version'),
  id: Type.String(),
  createdAt: Timestamp,
  url: Uri,
  urls: Type.Object({ location: Uri }),
});

export const OpenAPISpecContent = named('OpenAPISpecContent', {
  filesystem: Type.Array(
    Type.Object({
      dir: Type.String(),
      filename: Type.String(),
      isEntrypoint: Type.Boolean(),
      references: Type.Array(Type.String()),
      specification: Type.Object({}, { additionalProperties: true }),
    }),
    { description: 'One file, which contains all others in `x-ext`' },
  ),
  url: Uri,
  urls: Type.Object({
    source: Uri,
    public: nullable(Uri),
  }),
});

const Source = Type.Union([
  Type.Object({
    url: Type.String({ format: 'uri', minLength: 1, maxLength: 2048, description: 'Read every 6 hours' }),
  }),
  Type.Object({
    text: Type.String({ minLength: 1, maxLength: MAX_SPECIFICATION, description: 'JSON or YAML' }),
  }),
]);

export const NewSpec = Type.Object({ slug: Slug, source: Source });
export const PutSpec = Type.Object({ source: Source });
export const SpecPatch = Type.Object({ visibility: Visibility });

export const SlugParam = Slug;
