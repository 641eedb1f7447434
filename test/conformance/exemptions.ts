import type { SpecSchema } from './spec.ts';

/**
 * All intended differences from the public schema. A new exemption is added here, as narrow as possible, with the
 * reason and where it is documented.
 */
interface Written {
  readonly reason: string;
  readonly written: string;
}

/** Operations whose responses the public schema does not describe. Their status is still checked. */
export interface ForeignAnswers extends Written {
  readonly operationIds: readonly string[];
}

/**
 * A change of the public schema. `at` starts at a component and must exist. `anyOf`: several alternatives of a `oneOf`
 * may match. `also`: further alternatives of a `oneOf`. `replace`: another schema in its place.
 */
export type SchemaChange = Written & { readonly at: string } & (
    | { readonly change: 'anyOf' }
    | { readonly change: 'also'; readonly alternatives: readonly SpecSchema[] }
    | { readonly change: 'replace'; readonly by: SpecSchema }
  );

const component = (name: string): SpecSchema => ({ $ref: `#/components/schemas/${name}` });

export const FOREIGN_ANSWERS: readonly ForeignAnswers[] = [
  {
    operationIds: ['listTranslations', 'createTranslation', 'getTranslation', 'updateTranslation'],
    reason:
      'Translations follow the contract (`translation-settings`), not the later resource of the same path.',
    written: 'decisions.md 2',
  },
];

/** An intended difference from the newest schema, as the sentences that report it. */
export interface NewestDifference extends Written {
  readonly operationId: string;
  readonly sentences: readonly string[];
}

export const NEWEST_DIFFERENCES: readonly NewestDifference[] = [
  {
    operationId: 'cancelImportRun',
    sentences: ['status 201'],
    reason: 'The contract, which follows the older schema, answers 201.',
    written: 'api-v1.md',
  },
  {
    operationId: 'getSpaceGitInfo',
    sentences: ["body must have required property 'installationProvider'"],
    reason: 'The schema has no word for a Git server that is neither GitHub nor GitLab.',
    written: 'docs/api.md',
  },
];

const computed = { computed: component('ComputedContentSourceDocument'), computedSeed: { type: 'string' } };

/** Blocks of later versions of the schema. Tests of the content engine check their content. */
const laterBlocks = (...types: string[]): SpecSchema => ({
  type: 'object',
  properties: { object: { enum: ['block'] }, type: { enum: types }, nodes: { type: 'array' } },
  required: ['object', 'type', 'data', 'nodes'],
});

export const SCHEMA_CHANGES: readonly SchemaChange[] = [
  {
    at: 'RevisionPageDocument/allOf/1',
    change: 'replace',
    by: {
      properties: { markdown: { type: 'string' }, document: component('JSONDocument') },
      not: { required: ['markdown', 'document'] },
    },
    reason:
      'Trees hold no bodies. The alternative without one is a closed empty object, which no page can be.',
    written: 'decisions.md 3; facts.md 2.9 item 1',
  },
  {
    at: 'RevisionPageDocument/allOf/3',
    change: 'replace',
    by: { properties: { ...computed, documentId: { type: 'string' } } },
    reason: 'A page with `computed` always fits the other alternative too, since nothing in it is required.',
    written: 'facts.md 2.9 item 2',
  },
  {
    at: 'RevisionReusableContent/allOf/1',
    change: 'replace',
    by: { properties: { ...computed, document: { type: 'string' } } },
    reason: 'As for pages: reusable content with `computed` fits both alternatives.',
    written: 'facts.md 2.9 item 2',
  },
  {
    at: 'RevisionSemanticChangePageEdited/properties/attributes',
    change: 'anyOf',
    reason: 'Nothing in the three alternatives is required, so that a change of the title fits them all.',
    written: 'facts.md 3.4',
  },
  {
    at: 'IntegrationScope',
    change: 'replace',
    by: {
      type: 'string',
      enum: [
        'space:content:read',
        'space:content:write',
        'space:metadata:read',
        'space:metadata:write',
        'space:views:read',
        'space:git:sync',
        'page:feedback:read',
        'site:metadata:read',
        'site:views:read',
        'site:script:inject',
        'site:script:cookies',
        'site:visitor:auth',
        'site:adaptive:read',
        'site:adaptive:write',
        'openapi:read',
        'openapi:write',
        'conversations:ingest',
      ],
    },
    reason: 'The contract has the scope `space:views:read`.',
    written: 'decisions.md 39',
  },
  {
    at: 'PlainObject',
    change: 'replace',
    by: { type: 'object' },
    reason: 'It has no type, so that a scalar in it is a PlainObject too and fits two alternatives.',
    written: 'facts.md 2.9 item 3',
  },
  {
    at: 'DocumentTableRecord/properties/values/additionalProperties',
    change: 'anyOf',
    reason: 'A reference to a file or a URL in a table cell fits the alternative for images too.',
    written: 'facts.md 2.9 item 4',
  },
  {
    at: 'DocumentBlocksTopLevels',
    change: 'also',
    alternatives: [
      component('DocumentBlockColumns'),
      component('DocumentBlockIf'),
      laterBlocks('updates', 'prompt'),
    ],
    reason: 'They stand at the top level of content that exists; later versions of the schema allow them.',
    written: 'facts.md 2.9 item 5 and 5; content-flavour.md 2',
  },
  {
    at: 'DocumentBlock',
    change: 'also',
    alternatives: [laterBlocks('updates', 'update', 'prompt')],
    reason: 'Content that exists holds these blocks; later versions of the schema have them.',
    written: 'facts.md 5; content-flavour.md 2',
  },
  {
    at: 'DocumentBlockExpandable/properties/data',
    change: 'replace',
    by: {
      type: 'object',
      properties: { defaultExpanded: { type: 'boolean' } },
      additionalProperties: false,
    },
    reason: '`<details open>`: later versions of the schema have a member for it.',
    written: 'facts.md 5',
  },
  {
    at: 'DocumentInlineButton/properties/data/allOf/1',
    change: 'replace',
    by: { type: 'object' },
    reason: 'A button that asks or searches has an action in the place of a reference, as in later versions.',
    written: 'facts.md 5',
  },
  {
    at: 'DocumentInlineLink/properties/nodes/items',
    change: 'replace',
    by: { oneOf: [component('DocumentText'), component('DocumentInline')] },
    reason: 'Icons and other inlines stand in links of content that exists.',
    written: 'content-flavour.md 2',
  },
  {
    at: 'OrganizationSAMLProvider/properties/ssoURL',
    change: 'replace',
    by: { anyOf: [component('URL'), { type: 'string', enum: [''] }] },
    reason:
      'The address of a provider that is still `pending` is not known yet, but the schema requires the field.',
    written: 'decisions.md 1',
  },
  {
    at: 'OpenAPISpecContent/properties/filesystem',
    change: 'replace',
    by: { type: 'array', items: { type: 'object' } },
    reason:
      'Clients take it for the list of files of `@scalar/openapi-parser`; TypeScript calls that an object, too.',
    written: 'docs/api.md',
  },
];
