import Type, { type Static, type TOptional, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { MAX_NODES } from '../../../content-engine/document/index.ts';
import {
  MAX_SLUG,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE,
  MAX_VARIABLE_LENGTH,
  PAGE_FIELD_NAMES,
  PAGE_FIELDS,
  type PageField,
  type PageFieldDescription,
  type PageFieldShape,
  type SentValue,
} from '../../../content-engine/tree/index.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { nullable, Uri } from '../../../platform/api/schema.ts';
import { collections } from '../../collections/index.ts';
import { members } from '../../members/index.ts';
import { spaces } from '../../spaces/index.ts';
import { JsonDocument, PageLayout } from '../../revisions/index.ts';

/** The limit of a page is 2 MB, that of a batch 16 MB (decision 68). */
export const MAX_SOURCE = 2 * 1024 * 1024;
export const MAX_BATCH = 16 * 1024 * 1024;

/** The largest document (`MAX_NODES`) can be sent back as it was read: a node is up to 14 values, a row a member. */
export const BATCH_JSON_LIMITS = {
  values: 20 * MAX_NODES,
  members: MAX_NODES,
  advice: 'Send fewer changes in one request, or pages as Markdown instead of documents.',
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
    // If both were sent, it would be ambiguous which one is meant.
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

/** The specification need not exist yet: the entry has no pages until then. */
const ComputedSource = Type.Object(
  {
    type: Type.String({ maxLength: 200, pattern: '^(builtin:openapi|integration:[^:]+:[^:]+)$' }),
    props: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,63}$' }),
        Type.Union([Type.String({ maxLength: 256 }), Type.Number(), Type.Boolean()]),
        { maxProperties: 20 },
      ),
    ),
    dependencies: Type.Optional(
      Type.Object({ spec: Type.Optional(Type.Object({ ref: formsOf(['openapi']) })) }),
    ),
  },
  {
    description:
      'What the pages are computed from. `builtin:openapi` makes pages of the specification `dependencies.spec.ref`: one ' +
      'for each tag or, with the property `grouping: by-operation`, one for each operation; with `models: true` also one of its schemas.',
  },
);

const VariableName = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';
const VariableValue = Type.Union([
  Type.String({ maxLength: MAX_VARIABLE_LENGTH }),
  Type.Number(),
  Type.Boolean(),
]);

const Layout = Type.Partial(
  Type.Object({ ...PageLayout.properties, coverMask: Type.String({ maxLength: 50 }) }),
);

/** A value of a page field as it is sent, without the description of the field. */
const SENT: Readonly<Record<PageFieldShape, (field: PageFieldDescription) => TSchema>> = {
  title: () => Type.String({ minLength: 1 }),
  label: () => nullable(Type.String({ maxLength: MAX_TITLE })),
  slug: () => Type.String({ maxLength: MAX_SLUG }),
  text: ({ maxLength }) => nullable(Type.String({ maxLength })),
  expression: ({ maxLength }) => nullable(Type.String({ maxLength })),
  flag: () => Type.Boolean(),
  variables: () => nullable(Type.Record(Type.String({ pattern: VariableName }), VariableValue)),
  tags: () =>
    nullable(Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_LENGTH }), { maxItems: MAX_TAGS })),
  layout: () => nullable(Layout),
  cover: () =>
    nullable(
      Type.Object({
        ref: Type.Optional(PictureRef),
        refDark: Type.Optional(PictureRef),
        yPos: Type.Number(),
      }),
    ),
};

const pageFields = Object.fromEntries(
  PAGE_FIELD_NAMES.map((name) => {
    const { shape, description, ...field } = PAGE_FIELDS[name];
    const schema = SENT[shape]({ shape, ...field });
    return [name, Type.Optional(description === undefined ? schema : { ...schema, description })];
  }),
) as unknown as { readonly [F in PageField]: TOptional<TUnsafe<SentValue<F>>> };

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
      Type.Enum(['document', 'group', 'link', 'computed'], { default: 'document', examples: ['document'] }),
    ),
    document: Type.Optional(Body),
    target: Type.Optional(Type.Unsafe<{ readonly kind: string }>({ ...AnyRef, examples: [undefined] })),
    computed: Type.Optional(
      Type.Unsafe<Static<typeof ComputedSource>>({ ...ComputedSource, examples: [undefined] }),
    ),
    ref,
    ...place,
    ...pageFields,
  }),
  change('update_page', {
    page: entry('the page'),
    document: Type.Optional(Body),
    target: Type.Optional(AnyRef),
    computed: Type.Optional(ComputedSource),
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
