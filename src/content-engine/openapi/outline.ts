import { valueAt } from './bundle.ts';
import type { JsonObject } from './parse.ts';

/** What a specification has pages of. */
export interface ApiOutline {
  /** Declared tags, in their order. */
  readonly tags: readonly ApiTag[];
  readonly operations: readonly ApiOperation[];
  /** The names of its schemas. */
  readonly schemas: readonly string[];
}

export interface ApiTag {
  readonly name: string;
  readonly title?: string | undefined;
  readonly icon?: string | undefined;
  /** One paragraph, as text. */
  readonly summary?: string | undefined;
  /** Markdown. */
  readonly description?: string | undefined;
  /** The tag above it. */
  readonly parent?: string | undefined;
}

export interface ApiOperation {
  readonly kind: 'operation' | 'webhook';
  /** Of a webhook: its name. */
  readonly path: string;
  readonly method: string;
  readonly operationId?: string | undefined;
  readonly summary?: string | undefined;
  /** Markdown. */
  readonly description?: string | undefined;
  readonly tags: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Reads any object: what has another form than the specification says is left out. */
export function outlineOf(document: JsonObject): ApiOutline {
  const components = mapOf(document['components']);
  return {
    tags: listOf(document['tags']).map(mapOf).flatMap(readTag),
    operations: [
      ...Object.entries(mapOf(document['paths'])).flatMap(([path, item]) =>
        operationsOf(document, 'operation', path, item),
      ),
      ...Object.entries(mapOf(document['webhooks'])).flatMap(([name, item]) =>
        operationsOf(document, 'webhook', name, item),
      ),
    ],
    // Of version 2.0: `definitions`.
    schemas: Object.keys(mapOf(components['schemas'] ?? document['definitions'])),
  };
}

function readTag(tag: JsonObject): ApiTag[] {
  const name = textOf(tag['name']);
  if (name === undefined) return [];
  return [
    {
      name,
      title: textOf(tag['x-page-title']) ?? textOf(tag['x-displayName']) ?? textOf(tag['summary']),
      icon: textOf(tag['x-page-icon']),
      summary: textOf(tag['x-page-description']),
      description: textOf(tag['description']),
      parent: textOf(tag['parent']) ?? textOf(tag['x-parent']),
    },
  ];
}

function operationsOf(
  document: JsonObject,
  kind: ApiOperation['kind'],
  path: string,
  item: unknown,
): ApiOperation[] {
  const resolved = resolve(document, item);
  if (isHidden(resolved)) return [];
  return METHODS.flatMap((method): ApiOperation[] => {
    const operation = resolve(document, resolved[method]);
    if (Object.keys(operation).length === 0 || isHidden(operation)) return [];
    return [
      {
        kind,
        path,
        method,
        operationId: textOf(operation['operationId']),
        summary: textOf(operation['summary']) ?? textOf(resolved['summary']),
        description: textOf(operation['description']) ?? textOf(resolved['description']),
        tags: listOf(operation['tags']).flatMap((tag) => textOf(tag) ?? []),
      },
    ];
  });
}

const isHidden = (value: JsonObject): boolean =>
  value['x-internal'] === true || value['x-gitbook-ignore'] === true;

/** An object, or the one that it refers to inside the document. */
function resolve(document: JsonObject, value: unknown): JsonObject {
  let object = mapOf(value);
  for (let steps = 0; typeof object['$ref'] === 'string' && steps < MAX_STEPS; steps++) {
    const { $ref: ref, ...beside } = object;
    if (!ref.startsWith('#')) return beside;
    object = { ...mapOf(valueAt(document, ref)), ...beside };
  }
  return object;
}

/** References that lead to each other end. */
const MAX_STEPS = 8;

const mapOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
