import { isDeepStrictEqual } from 'node:util';
import { REFERENCE } from '../api/resource.ts';

export type Json = Record<string, unknown>;

/** The named schemas of the document, by name. */
export type Components = Map<string, Json>;

/**
 * A schema for the document: without properties of TypeBox; objects and unions with a title are moved to `components` and
 * referenced.
 */
export function describeSchema(schema: object, components: Components): Json {
  const { title } = schema as { title?: unknown };
  const isNamed =
    typeof title === 'string' && ('properties' in schema || 'anyOf' in schema || 'allOf' in schema);
  const described = contentOf(schema, components);
  return isNamed ? referTo(title, described, components) : described;
}

export function referTo(name: string, schema: Json, components: Components): Json {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`OpenAPI: "${name}" cannot be the name of a schema`);
  const existing = components.get(name);
  if (existing && !isDeepStrictEqual(existing, schema)) {
    throw new Error(`OpenAPI: two schemas are titled "${name}" and differ; give one of them another title`);
  }
  components.set(name, schema);
  return { $ref: pointer(name) };
}

/** Whether the schema contains the id of a resource, at any depth. */
export function mentionsIds(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return REFERENCE in schema || Object.values(schema).some(mentionsIds);
}

const SCHEMA = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
  'if',
  'then',
  'else',
]);
const LIST_OF_SCHEMAS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const MAP_OF_SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Only keywords with subschemas are followed: a default or an example may look like a schema. */
function contentOf(schema: object, components: Components): Json {
  const one = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? describeSchema(value, components) : value;
  const content: Json = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('~') || keyword === '$id') continue;
    if (keyword === '$defs') defineAll(value as Record<string, object>, components);
    else if (keyword === '$ref') content[keyword] = refOf(value as string);
    else if (isTuple(keyword, value)) content['prefixItems'] = value.map(one);
    else if (keyword === 'additionalItems') content['items'] = one(value);
    else if (SCHEMA.has(keyword)) content[keyword] = one(value);
    else if (LIST_OF_SCHEMAS.has(keyword)) content[keyword] = (value as unknown[]).map(one);
    else if (MAP_OF_SCHEMAS.has(keyword)) content[keyword] = mapValues(value as object, one);
    else if (keyword === 'examples') Object.assign(content, examplesOf(value as unknown[]));
    else content[keyword] = value;
  }
  const type = missingType(content);
  return type ? { type, ...content } : content;
}

/** Samples of tests leave out a member whose example is undefined. */
function examplesOf(examples: readonly unknown[]): Json {
  const defined = examples.filter((example) => example !== undefined);
  return defined.length > 0 ? { examples: defined } : {};
}

const ANY_TYPE = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const SUBSTITUTES = ['type', '$ref', 'anyOf', 'oneOf', 'allOf'];

/**
 * The implied type of a schema without one. Client generators would turn an enum into `any`, and the reference page
 * reports a schema without a type as an error.
 */
function missingType(content: Json): string | readonly string[] | undefined {
  if (SUBSTITUTES.some((keyword) => keyword in content)) return undefined;
  const values = 'const' in content ? [content['const']] : content['enum'];
  if (Array.isArray(values)) {
    return values.every((value) => typeof value === 'string') ? 'string' : ANY_TYPE;
  }
  return 'required' in content ? 'object' : ANY_TYPE;
}

/** Recursive schemas (`Type.Cyclic`) contain their definitions and reference them by name, not by pointer. */
function defineAll(definitions: Record<string, object>, components: Components): void {
  for (const [name, schema] of Object.entries(definitions))
    referTo(name, contentOf(schema, components), components);
}

const refOf = (ref: string): string => (ref.startsWith('#') ? ref : pointer(ref));

const pointer = (name: string): string => `#/components/schemas/${name}`;

/** TypeBox uses the tuple syntax of JSON Schema before 2020-12. */
const isTuple = (keyword: string, value: unknown): value is unknown[] =>
  keyword === 'items' && Array.isArray(value);

const mapValues = (map: object, one: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, one(value)]));
