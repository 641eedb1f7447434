import Type, { type Static, type TProperties } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, Uri } from '../../platform/api/schema.ts';
import { Organization } from '../organizations/index.ts';
import {
  base64Length,
  MAX_EXTERNAL_LINKS,
  MAX_ICON,
  MAX_PARTS,
  MAX_PREVIEW,
  MAX_PREVIEWS,
  MAX_PUBLICATION,
} from './limits.ts';
import { publishers, SCOPES, type Configurations as Stored } from './policy.ts';

const CATEGORIES = [
  'analytics',
  'collaboration',
  'content',
  'gitsync',
  'marketing',
  'visitor-auth',
  'other',
] as const;

const Target = Type.Enum(['all', 'site', 'space', 'organization']);
const Visibility = Type.Enum(['public', 'private', 'unlisted'], {
  description: '`private`: only members of its organization see it; `unlisted`: it is in no list',
});
export const Scopes = Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length });
const Category = Type.Enum([...CATEGORIES], { description: 'What it is about' });
const Categories = Type.Array(Category, { maxItems: CATEGORIES.length });
const optionalLine = (maxLength: number) => Type.Optional(line(0, maxLength));
const PartId = line(1, 100);
const Component = Type.Object({ componentId: line(1, 100) });
const part = <P extends TProperties>(more: P) =>
  Type.Object({
    id: PartId,
    title: line(2, 40),
    description: optionalLine(150),
    icon: optionalLine(2048),
    ...more,
  });

const Block = part({
  urlUnfurl: Type.Optional(
    Type.Array(line(1, 2048), { maxItems: 100, examples: [['https://sample.example/']] }),
  ),
  markdown: Type.Optional(Type.Object({ codeblock: line(1, 100), body: line(1, 100) })),
});
const ContentSource = part({ configuration: Component });

const label = { title: optionalLine(30), description: optionalLine(100) };
const Property = Type.Union([
  Type.Object({
    type: Type.Literal('string'),
    ...label,
    default: Type.Optional(Type.String({ maxLength: 1024 })),
    completion_url: optionalLine(2048),
    enum: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 })),
  }),
  Type.Object({ type: Type.Literal('number'), ...label, default: Type.Optional(Type.Number()) }),
  Type.Object({ type: Type.Literal('boolean'), ...label, default: Type.Optional(Type.Boolean()) }),
  Type.Object({
    type: Type.Literal('button'),
    ...label,
    callback_url: line(1, 2048),
    button_text: line(1, 100),
  }),
]);

const Properties = Type.Object({
  properties: Type.Unsafe<Readonly<Record<string, Static<typeof Property>>>>({
    type: 'object',
    propertyNames: { pattern: '^(?!(__proto__|constructor|prototype)$)[A-Za-z0-9_.-]{1,64}$' },
    additionalProperties: Property,
    maxProperties: MAX_PARTS,
    examples: [{ key: { type: 'string', title: 'Key' } }],
  }),
  required: Type.Optional(
    Type.Array(line(1, 64), { maxItems: MAX_PARTS, uniqueItems: true, examples: [[]] }),
  ),
});
const Configuration = Type.Union([Properties, Component]);
const Configurations = Type.Object({
  account: Type.Optional(Configuration),
  space: Type.Optional(Configuration),
  site: Type.Optional(Configuration),
});

const ExternalLinks = Type.Array(
  Type.Object({
    url: Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' }),
    label: line(1, 100),
  }),
  { maxItems: MAX_EXTERNAL_LINKS },
);

const Directive = Type.String({ maxLength: 2048 });
const ContentSecurityPolicy = Type.Union([
  Type.String({ maxLength: 8192 }),
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    propertyNames: { pattern: '^[a-z-]{1,40}$' },
    additionalProperties: Directive,
    maxProperties: MAX_PARTS,
  }),
]);

const image = (bytes: number) =>
  Type.String({
    maxLength: base64Length(bytes),
    description: `PNG, JPEG, GIF or WebP, in base64, at most ${bytes / 1024} kB`,
    examples: [
      'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPg5GBHRgwE+AAiDgFp5shY3AAAAABJRU5ErkJggg==',
    ],
  });

export const Publication = Type.Object({
  runtime: Type.Optional(Type.Enum(['v1', 'v2'], { default: 'v1' })),
  icon: Type.Optional(image(MAX_ICON)),
  title: line(2, 30),
  description: line(0, 100),
  summary: Type.Optional(Type.String({ maxLength: 2048, description: 'Markdown' })),
  previewImages: Type.Optional(Type.Array(image(MAX_PREVIEW), { maxItems: MAX_PREVIEWS })),
  visibility: Type.Optional(Visibility),
  target: Type.Optional(Target),
  scopes: Type.Optional(Scopes),
  categories: Type.Optional(Categories),
  blocks: Type.Optional(Type.Array(Block, { maxItems: MAX_PARTS })),
  contentSources: Type.Optional(Type.Array(ContentSource, { maxItems: MAX_PARTS })),
  externalLinks: Type.Optional({
    ...ExternalLinks,
    examples: [[{ url: 'https://sample.example/', label: 'Documentation' }]],
  }),
  configurations: Type.Optional(Configurations),
  script: Type.String({ maxLength: MAX_PUBLICATION, description: 'Stored; it does not run' }),
  organization: idOf(publishers, 'publish'),
  secrets: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      propertyNames: { pattern: '^[^\\u0000-\\u001f]{1,100}$' },
      additionalProperties: Type.String({ maxLength: 16_384 }),
      maxProperties: 100,
      description: 'Stored sealed, and never returned',
      examples: [{ KEY: 'secret' }],
    }),
  ),
  contentSecurityPolicy: Type.Optional({ ...ContentSecurityPolicy, examples: ["default-src 'none'"] }),
});
export type Publication = Static<typeof Publication>;

/** A name of only dots would not survive in a URL. */
export const NameParam = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\.+$)[a-zA-Z0-9_.-]+$',
  description: 'Name of the integration',
});

export const IntegrationQuery = Type.Object({
  ...listQuery,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or title' })),
  category: Type.Optional(Category),
  blockDomain: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-zA-Z0-9-_.]+$',
      description: 'Host of URLs that its blocks unfurl',
    }),
  ),
  blocks: Type.Optional(Type.Boolean({ description: 'Whether it has blocks' })),
  contentSources: Type.Optional(Type.Boolean({ description: 'Whether it has content sources' })),
  owner: Type.Optional(
    Type.String({ maxLength: 64, description: 'Organization id of the publisher', examples: ['owner'] }),
  ),
  scope: Type.Optional(Type.Enum([...SCOPES], { description: 'It asks for this scope' })),
  target: Type.Optional({ ...Target, description: 'Those with the target `all` match every one' }),
});
export type IntegrationQuery = Static<typeof IntegrationQuery>;

/** What a publication sets is answered as it was checked then: one component for each list would cost a check of each part. */
const stored = <T>(schema: object) => Type.Unsafe<T>({ ...schema, additionalProperties: true });

export const Integration = named('Integration', {
  object: Type.Literal('integration'),
  name: Type.String(),
  version: Type.Integer(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  previewImages: Type.Array(Uri),
  target: Target,
  verified: Type.Boolean(),
  visibility: Visibility,
  scopes: Type.Array(Type.Enum([...SCOPES])),
  categories: Type.Array(Category),
  blocks: Type.Optional(Type.Array(stored<Static<typeof Block>>({ type: 'object' }))),
  contentSources: Type.Optional(Type.Array(stored<Static<typeof ContentSource>>({ type: 'object' }))),
  configurations: Type.Optional(stored<Stored>({ type: 'object' })),
  externalLinks: Type.Array(Type.Object({ url: Type.String(), label: Type.String() })),
  owner: Organization,
  urls: Type.Object({
    location: Uri,
    app: Uri,
    assets: Uri,
    publicEndpoint: Uri,
    publicContentEndpoint: Uri,
    icon: Type.Optional(Uri),
  }),
  permissions: Type.Object({ admin: Type.Boolean(), install: Type.Boolean() }),
  contentSecurityPolicy: Type.Optional(
    Type.Unsafe<string | Readonly<Record<string, string>>>({
      type: ['string', 'object'],
      additionalProperties: true,
    }),
  ),
});
