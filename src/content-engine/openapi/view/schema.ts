import { isObject, type JsonObject } from '../parse.ts';
import { compact, entries, list, MAX_LINE, strings, type Reader } from './reader.ts';
import type { Direction } from './sample.ts';
import type { EnumValue, PropertyView, SchemaView, VariantsView } from './view.ts';

/** Levels at which models are shown in full. Below, they are named. */
const MODEL_LEVELS = 2;
/** Levels of schemas without a name, which readers cannot look up elsewhere. */
const MAX_LEVELS = 6;
const MAX_ENUM = 200;
/** Schemas that are merged into one. */
const MAX_MERGED = 60;

/** Where a schema is in its view. */
interface Place {
  readonly level: number;
  /** Pointers of the schemas around it. */
  readonly around: ReadonlySet<string>;
  /** What is read-only is no part of requests, and what is write-only none of responses. */
  readonly direction?: Direction | undefined;
}

export const viewOfSchema = (reader: Reader, schema: unknown, direction?: Direction): SchemaView =>
  schemaAt(reader, schema, { level: 0, around: new Set(), direction });

function schemaAt(reader: Reader, schema: unknown, place: Place): SchemaView {
  if (schema === true) return { type: 'any' };
  const resolved = reader.resolve(schema);
  if (!resolved) return { type: 'any' };
  const { value, pointers, model } = resolved;
  const name = model === undefined ? undefined : reader.line(model);
  const isCycle = pointers.some((pointer) => place.around.has(pointer));
  const isDeep = place.level >= (model === undefined ? MAX_LEVELS : MODEL_LEVELS) && hasInside(value);
  if (isCycle || isDeep || !reader.take()) return cut(reader, value, name);
  const around = pointers.length === 0 ? place.around : new Set([...place.around, ...pointers]);
  const here: Place = { ...place, around };
  const merged = withParts(reader, value, here);
  return describe(reader, merged, name, { ...here, level: place.level + 1 });
}

/** Named only. */
const cut = (reader: Reader, value: JsonObject, model: string | undefined): SchemaView =>
  compact<SchemaView>({
    type: model ?? baseType(value),
    model,
    isCut: true,
    description: reader.text(value['description'], MAX_LINE),
    deprecated: value['deprecated'] === true,
  });

const hasInside = (value: JsonObject): boolean =>
  ['properties', 'allOf', 'oneOf', 'anyOf'].some((field) => value[field] !== undefined) ||
  isObject(value['additionalProperties']);

/** `allOf`: one schema with the fields of all. */
function withParts(reader: Reader, schema: JsonObject, { around }: Place): JsonObject {
  if (!Array.isArray(schema['allOf'])) return schema;
  const merged: JsonObject = {};
  const properties: JsonObject = {};
  const required: unknown[] = [];
  let left = MAX_MERGED;
  const add = (part: JsonObject, within: ReadonlySet<string>): void => {
    const { allOf, properties: own, required: names, ...others } = part;
    for (const each of list(allOf)) {
      const inner = --left >= 0 && reader.take() ? reader.resolve(each) : undefined;
      if (!inner || inner.pointers.some((pointer) => within.has(pointer))) continue;
      add(inner.value, new Set([...within, ...inner.pointers]));
    }
    for (const [name, value] of entries(own)) {
      if (!reader.take()) break;
      define(properties, name, value);
    }
    required.push(...list(names));
    for (const [name, value] of Object.entries(others)) define(merged, name, value);
  };
  add(schema, around);
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** A name may be `__proto__`. */
const define = (object: JsonObject, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
};

function describe(reader: Reader, schema: JsonObject, model: string | undefined, inner: Place): SchemaView {
  // A list is no level: most responses hold one, and readers look for what is in it.
  const inList: Place = { ...inner, level: inner.level - 1 };
  const items = schema['items'] === undefined ? undefined : schemaAt(reader, schema['items'], inList);
  const variants = variantsOf(reader, schema, inner);
  const examples = list(schema['examples']);
  const additional = schema['additionalProperties'];
  return compact<SchemaView>({
    type: typeOf(schema, items, variants, model),
    model,
    description: reader.text(schema['description']) ?? reader.text(schema['title'], MAX_LINE),
    deprecated: schema['deprecated'] === true,
    readOnly: schema['readOnly'] === true,
    writeOnly: schema['writeOnly'] === true,
    default: reader.json(schema['default']),
    example: reader.json(examples.length > 0 ? examples[0] : schema['example']),
    enum: enumOf(reader, schema),
    constraints: constraintsOf(reader, schema),
    properties: propertiesOf(reader, schema, inner),
    additional: isObject(additional) ? schemaAt(reader, additional, inner) : undefined,
    items: items && isWorthShowing(items) ? items : undefined,
    variants,
  });
}

/** More than its type, which that of the list names. */
const isWorthShowing = (view: SchemaView): boolean => Object.keys(view).length > 1;

function propertiesOf(reader: Reader, schema: JsonObject, inner: Place): PropertyView[] | undefined {
  const required = new Set(strings(schema['required']));
  const shown: PropertyView[] = [];
  for (const [name, property] of entries(schema['properties'])) {
    if (isObject(property) && (property['x-internal'] === true || property['x-gitbook-ignore'] === true))
      continue;
    const shownName = reader.line(name);
    if (shownName === undefined) break;
    const view = schemaAt(reader, property, inner);
    if (inner.direction === 'request' ? view.readOnly : inner.direction === 'response' && view.writeOnly)
      continue;
    shown.push(compact<PropertyView>({ name: shownName, required: required.has(name), schema: view }));
  }
  return shown.length > 0 ? shown : undefined;
}

function variantsOf(reader: Reader, schema: JsonObject, inner: Place): VariantsView | undefined {
  const kind = Array.isArray(schema['oneOf']) ? 'oneOf' : 'anyOf';
  const all = list(schema[kind]).filter((one) => !isNull(one));
  if (all.length === 0) return undefined;
  const discriminator = isObject(schema['discriminator'])
    ? schema['discriminator']['propertyName']
    : undefined;
  const of: SchemaView[] = [];
  for (const one of all) {
    const view = schemaAt(reader, one, { ...inner, level: inner.level - 1 });
    of.push(view);
    if (of.length >= MAX_MERGED) break;
  }
  return compact<VariantsView>({ kind, discriminator: reader.line(discriminator), of });
}

const isNull = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'null';

/** `string (date-time)`, `array of Pet`, `integer | null`. */
function typeOf(
  schema: JsonObject,
  items: SchemaView | undefined,
  variants: VariantsView | undefined,
  model: string | undefined,
): string {
  const types = Array.isArray(schema['type']) ? strings(schema['type']) : [baseType(schema)];
  const shown = types.slice(0, 7).map((type) => {
    if (type === 'array') return items ? `array of ${items.type}` : 'array';
    if (type === 'object' && model !== undefined) return model;
    return type.slice(0, MAX_LINE);
  });
  const names = variants && types[0] === 'any' ? variants.of.map(({ type }) => type) : shown;
  const nullable =
    schema['nullable'] === true || [...list(schema['oneOf']), ...list(schema['anyOf'])].some(isNull);
  if (nullable && !names.includes('null')) names.push('null');
  const format = typeof schema['format'] === 'string' ? ` (${schema['format'].slice(0, 60)})` : '';
  return `${[...new Set(names)].slice(0, 8).join(' | ').slice(0, MAX_LINE)}${format}`;
}

function baseType(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return strings(type).join(' | ') || 'any';
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const values = schema['const'] === undefined ? list(schema['enum']) : [schema['const']];
  const first = typeof values[0];
  return values.length > 0 && values.every((value) => typeof value === first) && first !== 'object'
    ? first
    : 'any';
}

function enumOf(reader: Reader, schema: JsonObject): EnumValue[] | undefined {
  const values = schema['const'] === undefined ? list(schema['enum']) : [schema['const']];
  if (values.length === 0) return undefined;
  const described = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions'];
  const shown: EnumValue[] = [];
  for (const [index, value] of values.slice(0, MAX_ENUM).entries()) {
    const text = reader.json(value);
    if (text === undefined) break;
    const description = Array.isArray(described)
      ? described[index]
      : isObject(described) && Object.hasOwn(described, String(value))
        ? described[String(value)]
        : undefined;
    shown.push(compact<EnumValue>({ value: text, description: reader.text(description, 1_000) }));
  }
  return shown;
}

const RANGES: readonly (readonly [field: string, words: string])[] = [
  ['minimum', '≥ '],
  ['exclusiveMinimum', '> '],
  ['maximum', '≤ '],
  ['exclusiveMaximum', '< '],
  ['multipleOf', 'multiple of '],
  ['minLength', 'length ≥ '],
  ['maxLength', 'length ≤ '],
  ['minItems', 'items ≥ '],
  ['maxItems', 'items ≤ '],
  ['minProperties', 'properties ≥ '],
  ['maxProperties', 'properties ≤ '],
];

function constraintsOf(reader: Reader, schema: JsonObject): string[] | undefined {
  const shown: string[] = [];
  for (const [field, words] of RANGES) {
    const value = schema[field];
    if (typeof value !== 'number') continue;
    // Before 3.1, the exclusive ones are flags of the others.
    const isExclusive = schema[`exclusive${field[0]?.toUpperCase()}${field.slice(1)}`] === true;
    shown.push(isExclusive ? `${words[0] === '≥' ? '>' : '<'} ${value}` : `${words}${value}`);
  }
  if (schema['uniqueItems'] === true) shown.push('unique items');
  const pattern = reader.line(schema['pattern']);
  if (pattern !== undefined) shown.push(`matches ${pattern}`);
  return shown.length > 0 ? shown : undefined;
}
