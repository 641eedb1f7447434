import Type, { type Static, type TProperties } from 'typebox';
import { MAX_NODES } from '../../../content-engine/document/index.ts';
import {
  MAX_FIELD_LENGTH,
  MAX_SLUG,
  MAX_TAGS,
  MAX_TITLE,
  MAX_VARIABLE_LENGTH,
} from '../../../content-engine/tree/index.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { nullable, Uri } from '../../../platform/api/schema.ts';
import { collections } from '../../collections/index.ts';
import { members } from '../../members/index.ts';
import { spaces } from '../../spaces/index.ts';
import { JsonDocument } from '../../revisions/index.ts';

/** At most 2 MB for a page, 64 MB for a batch (decision 10). */
export const MAX_SOURCE = 2 * 1024 * 1024;
export const MAX_BATCH = 64 * 1024 * 1024;

/**
 * The largest document (`MAX_NODES`) can be sent back as it was read: a node is up to 14 values, a row a member. Fifty
 * typical documents that are too small to stay unparsed have half of the other values.
 */
export const BATCH_JSON_LIMITS = {
  values: 200_000,
  members: MAX_NODES,
  advice: 'Send fewer changes in one request, or pages as Markdown instead of documents.',
  unparsed: {
    path: ['changes', '*', 'document', 'document'],
    values: 20 * MAX_NODES,
    stub: { object: 'document', nodes: [null] },
  },
};

/** The id of an entry, or the `ref` of an earlier change. */
const entry = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `Id of ${what}, or the \`ref\` of an earlier change in the batch`,
  });
const ref = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Name by which later changes of the batch refer to it',
  }),
);

const Body = Type.Union(
  [
    // With both, it would be ambiguous which one is meant.
    Type.Object({ markdown: Type.String() }, { not: { required: ['document'] } }),
    Type.Object({ document: JsonDocument }, { not: { required: ['markdown'] } }),
    Type.Object({}, { additionalProperties: false }),
  ],
  {
    examples: [{ markdown: 'Some *text*.' }],
    description:
      'Markdown, a document, or empty. Frontmatter and the first heading of Markdown override the fields of the page.',
  },
);
export type Body = { readonly markdown?: string; readonly document?: object };

const crossTenant = { crossTenant: true };
const kinds = {
  url: { url: Type.String({ maxLength: 2048 }) },
  page: { page: entry('a page'), space: Type.Optional(idOf(spaces, 'view', crossTenant)) },
  anchor: {
    anchor: Type.String({ maxLength: 200 }),
    page: Type.Optional(entry('a page')),
    space: Type.Optional(idOf(spaces, 'view', crossTenant)),
  },
  file: { file: entry('a file') },
  space: { space: idOf(spaces, 'view', crossTenant) },
  collection: { collection: idOf(collections, 'view') },
  user: { user: idOf(members, 'view') },
  'reusable-content': { reusableContent: entry('a reusable content') },
  openapi: { spec: Type.String({ maxLength: 100 }) },
} satisfies Record<string, TProperties>;

type Kinds = typeof kinds;
const formsOf = <K extends keyof Kinds>(names: readonly K[]) =>
  Type.Union(names.map((kind) => Type.Object({ kind: Type.Literal(kind), ...kinds[kind] })));

const AnyRef = Type.Unsafe<{ readonly kind: string }>(formsOf(Object.keys(kinds) as (keyof Kinds)[]));
const PictureRef = Type.Unsafe<{ readonly kind: 'url' | 'file' }>(formsOf(['url', 'file']));

const VariableName = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';
const VariableValue = Type.Union([
  Type.String({ maxLength: MAX_VARIABLE_LENGTH }),
  Type.Number(),
  Type.Boolean(),
]);

const Layout = Type.Partial(
  Type.Object({
    width: Type.Enum(['default', 'wide']),
    cover: Type.Boolean(),
    coverSize: Type.Enum(['hero', 'full', 'background']),
    coverMask: Type.String({ maxLength: 50 }),
    title: Type.Boolean(),
    description: Type.Boolean(),
    tableOfContents: Type.Boolean(),
    outline: Type.Boolean(),
    pagination: Type.Boolean(),
    metadata: Type.Boolean(),
    tags: Type.Boolean(),
    actions: Type.Boolean(),
    anchors: Type.Boolean(),
  }),
);

const text = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })));

const pageFields = {
  title: Type.Optional(Type.String({ minLength: 1 })),
  linkTitle: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TITLE,
        description: 'Label in navigation, if it differs from the title; documents only',
      }),
    ),
  ),
  slug: Type.Optional(
    Type.String({
      maxLength: MAX_SLUG,
      description: 'Empty: derived from the title. Returns 400 if a sibling has the same slug.',
    }),
  ),
  emoji: text(MAX_FIELD_LENGTH.emoji),
  icon: text(MAX_FIELD_LENGTH.icon),
  description: text(MAX_FIELD_LENGTH.description),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: text(MAX_FIELD_LENGTH.condition),
  layout: Type.Optional(nullable(Layout)),
  cover: Type.Optional(
    nullable(
      Type.Object({
        ref: Type.Optional(PictureRef),
        refDark: Type.Optional(PictureRef),
        yPos: Type.Number(),
      }),
    ),
  ),
  variables: Type.Optional(nullable(Type.Record(Type.String({ pattern: VariableName }), VariableValue))),
  tags: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_FIELD_LENGTH.tag }), { maxItems: MAX_TAGS }),
    ),
  ),
};

const place = {
  into: Type.Optional(nullable(entry('the page above'))),
  at: Type.Optional(Type.Integer({ minimum: 0, description: 'Index among the siblings; default: last' })),
};

const ifMatch = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'ETag of the page as you read it. Returns 412 if the page has changed since.',
  }),
);

const NewFile = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 256 }),
  contentType: Type.Optional(
    Type.String({ maxLength: 200, description: 'Ignored; the type is detected from the bytes' }),
  ),
  ref,
  url: Type.Optional(Uri),
  base64: Type.Optional(Type.String({ maxLength: MAX_BATCH })),
  upload: Type.Optional(Type.String({ maxLength: 64, description: '`key` of a finished storage upload' })),
});
export type NewFile = Static<typeof NewFile>;

const change = <O extends string, P extends TProperties>(operation: O, properties: P) =>
  Type.Object({ operation: Type.Literal(operation), ...properties }, { title: operation });

const Change = Type.Union([
  change('insert_page', {
    type: Type.Optional(
      Type.Enum(['document', 'group', 'link'], { default: 'document', examples: ['document'] }),
    ),
    document: Type.Optional(Body),
    target: Type.Optional(Type.Unsafe<{ readonly kind: string }>({ ...AnyRef, examples: [undefined] })),
    ref,
    ...place,
    ...pageFields,
  }),
  change('update_page', {
    page: entry('the page'),
    document: Type.Optional(Body),
    target: Type.Optional(AnyRef),
    ifMatch,
    ...place,
    ...pageFields,
  }),
  change('move_page', { page: entry('the page'), ifMatch, ...place }),
  change('delete_page', { page: entry('the page'), ifMatch }),
  change('revert_page', {
    page: entry('the page'),
    revision: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Id of a revision of this space; default: the parent of the current revision',
      }),
    ),
    block: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 1000,
        description: 'Keys of the blocks to revert; default: the whole page',
      }),
    ),
    ifMatch,
  }),
  change('insert_files', { files: Type.Array(NewFile, { minItems: 1, maxItems: 20 }) }),
  change('delete_file', { file: entry('the file') }),
  change('set_variables', {
    variables: Type.Record(Type.String({ pattern: VariableName }), nullable(VariableValue)),
  }),
  change('insert_reusable_content', {
    title: Type.Optional(Type.String({ minLength: 1 })),
    document: Body,
    ref,
  }),
  change('update_reusable_content', {
    reusableContent: entry('the reusable content'),
    title: Type.Optional(Type.String({ minLength: 1 })),
    document: Type.Optional(Body),
    ifMatch,
  }),
  change('delete_reusable_content', { reusableContent: entry('the reusable content'), ifMatch }),
]);
export type Change = Static<typeof Change>;

export const Batch = Type.Object({
  changes: Type.Array(Change, {
    minItems: 1,
    maxItems: 50,
    examples: [[{ operation: 'insert_page', title: 'Sample', document: { markdown: 'A *sample*.' } }]],
  }),
});
export type Batch = Static<typeof Batch>;
