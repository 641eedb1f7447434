import { documentOfBlocks, plainDocument, plainText, type BlockNode } from '../document/index.ts';
import { toMarkdown } from '../markdown/index.ts';
import {
  serverUrl,
  type ContentView,
  type ModelView,
  type OperationView,
  type ParameterPlace,
  type SchemaView,
  type SecurityView,
} from '../openapi/index.ts';
import { othersMarkdown } from './others-markdown.ts';

/** Parts of OpenAPI specifications as Markdown: for programs, which read URLs, parameters and examples, and for print. */

/** `title`: without it, the page has the title already. */
export function operationText(view: OperationView, title: string | undefined): string {
  const [server] = view.servers;
  const notes = [
    view.deprecated && 'Deprecated',
    view.sunset && `removed on ${view.sunset}`,
    view.stability,
  ].filter(Boolean);
  return paragraphs([
    title === undefined ? undefined : `## ${inline(title)}`,
    code(`${view.method} ${server ? serverUrl(server) : ''}${view.path}`),
    notes.length === 0 ? undefined : `**${inline(notes.join(', '))}**`,
    text(view.description),
    authentication(view.security),
    ...PLACES.map(([place, name]) => {
      const all = view.parameters.filter((one) => one.in === place);
      return all.length === 0
        ? undefined
        : `### ${name}\n\n${all.map((one) => field(code(one.name), one, 0)).join('\n')}`;
    }),
    view.body &&
      paragraphs([
        `### ${view.kind === 'webhook' ? 'Payload' : 'Request body'}${view.body.required ? ' (required)' : ''}`,
        text(view.body.description),
        contents(view.body.contents),
      ]),
    ...(view.responses.length > 0 ? ['### Responses'] : []),
    ...view.responses.map(({ status, description, headers, contents: all }) =>
      paragraphs([
        `**${inline(status)}**${description === undefined ? '' : `: ${line(description)}`}`,
        headers.length === 0
          ? undefined
          : headers.map((header) => field(`Header ${code(header.name)}`, header, 0)).join('\n'),
        contents(all),
      ]),
    ),
  ]);
}

export const modelText = ({ name, schema, example }: ModelView): string =>
  paragraphs([
    `## ${inline(name)}`,
    text(schema.description),
    schemaText(schema),
    example === undefined ? undefined : fence('json', example),
  ]);

const PLACES: readonly (readonly [ParameterPlace, string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
];

const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

function authentication(security: OperationView['security']): string | undefined {
  const alternatives = security
    .filter((schemes) => schemes.length > 0)
    .map((schemes) => `- ${schemes.map(schemeText).join(', and ')}`);
  return alternatives.length === 0
    ? undefined
    : `### Authentication\n\n${security.length > 1 ? 'One of:\n\n' : ''}${alternatives.join('\n')}`;
}

function schemeText({
  type,
  in: place,
  key,
  scheme,
  prefix,
  scopes = [],
  description,
}: SecurityView): string {
  const how =
    type === 'apiKey'
      ? `${place} ${code(key ?? '')}`
      : type === 'mutualTLS'
        ? 'a client certificate'
        : `header ${code(`Authorization: ${prefix ?? (scheme === 'basic' ? 'Basic' : 'Bearer')} …`)}`;
  const needed = scopes.length === 0 ? '' : ` with the scopes ${scopes.map(code).join(', ')}`;
  return `${how}${needed}${description === undefined ? '' : `: ${line(description)}`}`;
}

function contents(all: readonly ContentView[]): string {
  const [first] = all;
  if (!first) return '';
  const [example] = first.examples;
  return paragraphs([
    `Media type: ${all.map(({ mediaType }) => code(mediaType)).join(', ')}`,
    first.schema && schemaText(first.schema),
    example && fence(first.mediaType.includes('json') ? 'json' : '', example.text),
  ]);
}

function schemaText(schema: SchemaView): string {
  const holder = holderIn(schema) ?? schema;
  return paragraphs([`Type: ${code(schema.type)}${facts(schema)}`, inside(holder, 0).replace(/^\n/, '')]);
}

interface Field {
  readonly required?: true;
  readonly deprecated?: true;
  readonly description?: string;
  readonly schema: SchemaView;
}

function field(name: string, { required, deprecated, description, schema }: Field, level: number): string {
  const notes = [
    inline(schema.type),
    required && 'required',
    (deprecated ?? schema.deprecated) && 'deprecated',
    schema.readOnly && 'read-only',
    schema.writeOnly && 'write-only',
  ].filter(Boolean);
  const about = description ?? schema.description;
  const holder = holderIn(schema);
  return `${'  '.repeat(level)}- ${name} (${notes.join(', ')})${about === undefined ? '' : `: ${line(about)}`}${facts(schema)}${holder ? inside(holder, level + 1) : ''}`;
}

const holderIn = (schema: SchemaView): SchemaView | undefined =>
  schema.properties || schema.variants || schema.additional ? schema : schema.items && holderIn(schema.items);

const inside = ({ properties = [], additional, variants }: SchemaView, level: number): string =>
  [
    ...properties.map(({ name, ...one }) => field(code(name), one, level)),
    ...(additional ? [field('any other name', { schema: additional }, level)] : []),
    ...(variants
      ? variants.of.map((schema) => field(variants.kind === 'oneOf' ? 'one of' : 'any of', { schema }, level))
      : []),
  ]
    .map((each) => `\n${each}`)
    .join('');

function facts({ enum: values = [], default: preset, example, constraints = [] }: SchemaView): string {
  const shown = [
    ...(constraints.length > 0 ? [inline(constraints.join(', '))] : []),
    ...(values.length > 0
      ? [
          `one of ${values.map(({ value, description }) => `${code(value)}${description === undefined ? '' : ` (${line(description)})`}`).join(', ')}`,
        ]
      : []),
    ...(preset === undefined ? [] : [`default ${code(preset)}`]),
    ...(example === undefined ? [] : [`example ${code(example)}`]),
  ];
  return shown.length === 0 ? '' : ` — ${shown.join('; ')}`;
}

/** Markdown of others, written by us: nothing in it ends what is around it. */
const text = (description: string | undefined): string | undefined =>
  description === undefined ? undefined : written(othersMarkdown(description));

const written = (nodes: BlockNode[]): string => toMarkdown(documentOfBlocks(nodes)).trim();

/** In one line: the words alone, where it is more than a paragraph. */
function line(description: string): string {
  const nodes = othersMarkdown(description);
  const [only] = nodes;
  if (only?.type === 'paragraph' && nodes.length === 1)
    return written(nodes)
      .split('\n')
      .map((each) => each.trim().replace(/\\$/, ''))
      .join(' ');
  return inline(plainText(documentOfBlocks(nodes)));
}

/** A text with its characters of Markdown escaped. */
const inline = (words: string): string => written(plainDocument(words.replaceAll(/\s+/g, ' ').trim()).nodes);

function code(words: string): string {
  const content = words.replaceAll(/\s+/g, ' ');
  const ticks = '`'.repeat(1 + Math.max(0, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length)));
  return /^`|`$|^ .* $/.test(content) ? `${ticks} ${content} ${ticks}` : `${ticks}${content}${ticks}`;
}

function fence(language: string, source: string): string {
  const ticks = '`'.repeat(Math.max(3, ...Array.from(source.matchAll(/`+/g), ([run]) => run.length + 1)));
  return `${ticks}${language}\n${source}\n${ticks}`;
}
