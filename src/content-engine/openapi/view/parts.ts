import { escapePointer } from '../check.ts';
import { isObject, type JsonObject } from '../parse.ts';
import { viewOfOperation, type Endpoint } from './operation.ts';
import { compact, entries, list, Reader, schemasOf } from './reader.ts';
import { exampleText, sampleOf } from './sample.ts';
import { viewOfSchema } from './schema.ts';
import { serversOf } from './security.ts';
import type { InfoView, ModelView, Part, TagView } from './view.ts';

const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
]);
/** The largest public specifications have some 2,000 operations, and as many schemas. */
const MAX_ENDPOINTS = 10_000;
const MAX_MODELS = 10_000;
/** A name is part of an index. */
const MAX_NAME = 1_000;
const MAX_TAGS = 2_000;

/** Everything that a specification shows, in its order. Total: whatever is malformed is left out. */
export function* partsOf(root: JsonObject): Generator<Part> {
  const endpoints = endpointsOf(root).slice(0, MAX_ENDPOINTS);
  const models = modelsOf(root).slice(0, MAX_MODELS);
  const reader = new Reader(root, endpoints.length + models.length);
  const seen = new Set<string>();
  const makers = [
    () => infoPart(reader),
    ...endpoints.map((endpoint) => () => endpointPart(reader, endpoint)),
    ...models.map((model) => () => modelPart(reader, model)),
  ];
  for (const make of makers) {
    reader.beginView();
    const part = make();
    const key = `${part.kind} ${part.name}`;
    if (!seen.has(key)) yield part;
    seen.add(key);
  }
}

/** The database takes no other text. */
const isName = (name: string): boolean =>
  name.length <= MAX_NAME && !name.includes('\0') && name.isWellFormed();

function endpointsOf(root: JsonObject): Endpoint[] {
  const reader = new Reader(root, 1);
  const found: Endpoint[] = [];
  const add = (kind: Endpoint['kind'], paths: unknown): void => {
    for (const [path, value] of entries(paths)) {
      if (path.startsWith('x-') || !isName(path)) continue;
      const item = reader.object(value);
      if (isHidden(item)) continue;
      for (const [method, own] of entries(item)) {
        const operation = METHODS.has(method) ? reader.object(own) : undefined;
        if (operation && isObject(own) && !isHidden(operation))
          found.push({ kind, method, path, operation, item });
      }
      // 3.2
      for (const [method, own] of entries(item['additionalOperations'])) {
        if (isObject(own) && /^[\w-]{1,40}$/.test(method) && !METHODS.has(method.toLowerCase()))
          found.push({ kind, method: method.toLowerCase(), path, operation: own, item });
      }
    }
  };
  add('operation', root['paths']);
  add('webhook', root['webhooks'] ?? root['x-webhooks']);
  return found;
}

const isHidden = (value: JsonObject): boolean =>
  value['x-internal'] === true || value['x-gitbook-ignore'] === true;

interface Model {
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonObject;
}

const modelsOf = (root: JsonObject): Model[] =>
  Object.entries(schemasOf(root)).flatMap(([at, schemas]) =>
    entries(schemas).flatMap(([name, schema]) =>
      isObject(schema) && !isHidden(schema) && isName(name)
        ? [{ name, pointer: `${at}${escapePointer(name)}`, schema }]
        : [],
    ),
  );

function endpointPart(reader: Reader, endpoint: Endpoint): Part {
  const view = viewOfOperation(reader, endpoint);
  return {
    kind: view.kind,
    name: `${endpoint.method} ${endpoint.path}`,
    ...(view.operationId !== undefined && { operationId: view.operationId }),
    title: view.title,
    ...(view.description !== undefined && { description: view.description }),
    tags: view.tags,
    deprecated: view.deprecated === true,
    view,
  };
}

function modelPart(reader: Reader, { name, pointer, schema: own }: Model): Part {
  const schema = viewOfSchema(reader, { $ref: pointer });
  const example = reader.text(exampleText(sampleOf(reader, own, 'response')));
  return {
    kind: 'schema',
    name,
    title: name,
    ...(schema.description !== undefined && { description: schema.description }),
    tags: [],
    deprecated: own['deprecated'] === true,
    view: compact<ModelView>({ kind: 'schema', name, schema, example }),
  };
}

function infoPart(reader: Reader): Part {
  const info = reader.object(reader.root['info']);
  const title = reader.line(info['title']) ?? 'API';
  const description = reader.text(info['description']);
  const view = compact<InfoView>({
    kind: 'info',
    title,
    version: reader.line(info['version']) ?? '',
    description,
    servers: serversOf(reader, reader.root),
    tags: tagsOf(reader),
  });
  const described = description === undefined ? {} : { description };
  return { kind: 'info', name: '', title, ...described, tags: [], deprecated: false, view };
}

const tagsOf = (reader: Reader): TagView[] =>
  list(reader.root['tags'])
    .slice(0, MAX_TAGS)
    .flatMap((one) => {
      const tag = isObject(one) ? one : {};
      const name = reader.line(tag['name']);
      return name === undefined || isHidden(tag)
        ? []
        : [
            compact<TagView>({
              name,
              description: reader.text(tag['description'], 5_000),
              parent: reader.line(tag['parent'] ?? tag['x-parent']),
              title: reader.line(tag['x-page-title'] ?? tag['x-displayName'] ?? tag['summary']),
              slug: reader.line(tag['x-page-slug']),
              icon: reader.line(tag['x-page-icon']),
              pageDescription: reader.text(tag['x-page-description'], 1_000),
            }),
          ];
    });
