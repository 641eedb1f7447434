import Type, { type TSchema } from 'typebox';
import {
  LAYOUT_MEMBERS,
  PAGE_FIELD_NAMES,
  PAGE_FIELDS,
  type PageFieldShape,
} from '../../content-engine/tree/index.ts';
import { listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';

/** Marks a schema as the id of an entry of a revision: it is looked up in that revision only. */
export const ENTRY = Symbol('entry');
export type EntryKind =
  | 'page'
  | 'path'
  | 'file'
  | 'reusable-content'
  | 'document'
  | 'conflict'
  | 'reviewer'
  | 'redirect';

const idOfEntry = (kind: EntryKind) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `Id of a ${kind}`,
    [ENTRY]: kind,
  });

export const pageId = idOfEntry('page');
export const fileId = idOfEntry('file');
export const reusableContentId = idOfEntry('reusable-content');
export const documentId = idOfEntry('document');
export const pagePath = Type.String({
  maxLength: 2000,
  description: 'Slugs from the root to the page, separated by slashes (percent-encoded or not)',
  [ENTRY]: 'path',
});

const switchedOn = (description: string) => Type.Optional(Type.Boolean({ default: true, description }));

export const ContentQuery = Type.Object({
  metadata: switchedOn('`false` omits metadata that can change without a new revision (Git)'),
  computed: switchedOn('`false` returns entries of computed pages instead of their pages'),
});

export const FilesQuery = Type.Object({ ...listQuery, ...ContentQuery.properties });

const Evaluated = Type.Optional(
  Type.Enum(['true', 'false', 'deterministic-only'], {
    default: 'false',
    description:
      '`true` evaluates expressions and conditions; `deterministic-only` evaluates those that do not depend on the visitor',
  }),
);

export const PageQuery = Type.Object({
  ...ContentQuery.properties,
  format: Type.Optional(
    Type.Enum(['markdown', 'document'], {
      description:
        'Format of the body in the response. Default: `markdown`, unless the server is set to `document`',
    }),
  ),
  evaluated: Evaluated,
});

export const DocumentQuery = Type.Object({ evaluated: Evaluated });

const GitBlob = Type.Object({ oid: Type.String(), path: Type.String() });

/** The target of a link; its kinds are those of the public API. */
const AnyContentRef = Type.Unsafe<{ readonly kind: string }>({
  type: 'object',
  title: 'ContentRef',
  required: ['kind'],
  properties: { kind: { type: 'string' } },
});

const layoutMember = (member: boolean | string | readonly string[]): TSchema => {
  if (typeof member === 'string') return Type.String();
  return typeof member === 'boolean' ? Type.Boolean() : Type.Enum([...member]);
};

export const PageLayout = named(
  'PageLayout',
  Object.fromEntries(Object.entries(LAYOUT_MEMBERS).map(([name, member]) => [name, layoutMember(member)])),
);

const VariableValues = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

/** The document JSON of the public API. The Markdown engine validates its content. */
export const JsonDocument = Type.Unsafe<object>({
  type: 'object',
  title: 'JSONDocument',
  required: ['object', 'nodes'],
  properties: { object: { const: 'document' }, data: { type: 'object' }, nodes: { type: 'array' } },
  // A document that is validated must remain the same object: it may carry its text (`UnparsedJson`).
  additionalProperties: true,
});

/** A value of a page field in responses. */
const SHOWN: Readonly<Record<PageFieldShape, TSchema>> = {
  title: Type.String(),
  label: Type.String({ description: 'Label of a document in navigation, if it differs from the title' }),
  slug: Type.String(),
  text: Type.String(),
  expression: Type.String(),
  flag: Type.Boolean(),
  variables: VariableValues,
  tags: Type.Array(Type.Object({ tag: Type.Object({ kind: Type.Literal('tag'), tag: Type.String() }) }), {
    description: 'Of documents: references to tags of the revision',
  }),
  layout: PageLayout,
  cover: Type.Object({
    ref: Type.Optional(AnyContentRef),
    refDark: Type.Optional(AnyContentRef),
    yPos: Type.Number(),
  }),
};

const pageFields = Object.fromEntries(
  PAGE_FIELD_NAMES.map((name) => [name, Type.Optional(SHOWN[PAGE_FIELDS[name].shape])]),
);

const openObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

/** Pages of every type in one schema: `type` (document, group, link, computed) determines the required members. */
export const Page = named('Page', {
  id: Type.String(),
  type: Type.Enum(['document', 'group', 'link', 'computed']),
  kind: Type.Optional(Type.Enum(['sheet', 'group', 'link'])),
  ...pageFields,
  title: Type.String(),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  urls: Type.Optional(Type.Object({ app: Uri })),
  path: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  markdown: Type.Optional(Type.String()),
  document: Type.Optional(JsonDocument),
  pages: Type.Optional(
    Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        description: 'Child pages, of the same schema',
        additionalProperties: true,
      }),
    ),
  ),
  target: Type.Optional(AnyContentRef),
  href: Type.Optional(Type.String()),
  computed: Type.Optional(
    Type.Object({
      type: Type.String(),
      props: Type.Optional(openObject),
      dependencies: Type.Optional(openObject),
    }),
  ),
  git: Type.Optional(GitBlob),
});

export const Pages = Type.Object({ pages: Type.Array(Page) });

export const File = named('File', {
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Uri,
  size: Type.Number(),
  dimensions: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
  git: Type.Optional(GitBlob),
});

export const ReusableContent = named('ReusableContent', {
  id: Type.String(),
  title: Type.String(),
  document: Type.String({ description: 'Id of its document' }),
  git: Type.Optional(GitBlob),
});

/** The colours of texts, and those of the site. */
export const TAG_COLORS = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
] as const;

const Tag = named('RevisionTag', {
  slug: Type.String(),
  label: Type.String(),
  color: Type.Enum([...TAG_COLORS]),
  icon: Type.Optional(Type.String()),
});

const revisionFields = {
  object: Type.Literal('revision'),
  id: Type.String(),
  parents: Type.Array(Type.String()),
  type: Type.Enum(['edits', 'merge', 'rollback', 'update', 'computed']),
  createdAt: Timestamp,
  git: Type.Optional(
    Type.Object({
      oid: Type.String(),
      message: Type.String(),
      createdByService: Type.Boolean(),
      createdByGitBook: Type.Boolean(),
      url: Type.Optional(Type.String()),
      ref: Type.Optional(Type.String()),
    }),
  ),
  mergedFrom: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      description: 'The merged change request, if `type` is `merge`',
      additionalProperties: true,
    }),
  ),
  urls: Type.Object({ app: Uri, published: Type.Optional(Uri), public: Type.Optional(Uri) }),
};

export const Revision = named('Revision', {
  ...revisionFields,
  pages: Type.Array(Page),
  files: Type.Array(File),
  reusableContents: Type.Array(ReusableContent),
  tags: Type.Array(Tag),
  variables: VariableValues,
});

/** A revision in the history, without its content. */
export const RevisionSummary = named('RevisionSummary', {
  ...revisionFields,
  author: nullable(Type.String({ description: 'User id' })),
});

export const Restored = Type.Object({ revision: Type.String() });

export const ChangesQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 10, description: 'Maximum number of changes' }),
  ),
  metadata: Type.Optional(Type.Boolean({ description: 'Accepted for compatibility; has no effect' })),
  computed: Type.Optional(Type.Boolean({ description: 'Accepted for compatibility; has no effect' })),
});

export const Changes = named('SemanticChanges', {
  mergedFrom: Type.Optional(openObject),
  changes: Type.Array(openObject),
  more: Type.Optional(Type.Number({ description: 'Number of further changes beyond `limit`' })),
});

/** Every page has one address, which its `urls` have. */
export const MetaLinks = named('PageMetaLinks', {});
