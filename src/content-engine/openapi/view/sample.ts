import { shorten } from '../../shorten.ts';
import { isObject, type JsonObject } from '../parse.ts';
import { entries, list, strings, type Reader } from './reader.ts';

/** Whether a value is sent or received: fields that are read or written only differ. */
export type Direction = 'request' | 'response';

const MAX_VALUES = 150;
const MAX_LEVELS = 8;
/** The longest example, in characters. */
const MAX_EXAMPLE = 10_000;

/** A value that a schema allows, from its examples where it has some. */
export function sampleOf(reader: Reader, schema: unknown, direction: Direction): unknown {
  return new Sampler(reader, direction).value(schema, 0, new Set());
}

/** As it is shown: texts as they are, anything else as JSON. */
export function exampleText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return shorten(value, MAX_EXAMPLE);
  let left = 5_000;
  const text = JSON.stringify(
    value,
    (_key, child: unknown) => {
      if (--left < 0) return undefined;
      return typeof child === 'string' ? shorten(child, MAX_EXAMPLE) : child;
    },
    2,
  );
  return text === undefined ? undefined : shorten(text, MAX_EXAMPLE);
}

/** Values are counted: two schemas that name each other twice would double with each level. */
class Sampler {
  #left = MAX_VALUES;
  readonly #reader: Reader;
  readonly #direction: Direction;

  constructor(reader: Reader, direction: Direction) {
    this.#reader = reader;
    this.#direction = direction;
  }

  /** Undefined for a schema that contains itself, or that is too deep. */
  value(schema: unknown, level: number, around: ReadonlySet<string>): unknown {
    const resolved = this.#reader.resolve(schema);
    if (!resolved || --this.#left < 0 || level > MAX_LEVELS) return undefined;
    const { value, pointers } = resolved;
    const given = givenIn(value);
    if (given !== undefined) return given;
    if (pointers.some((pointer) => around.has(pointer))) return undefined;
    const inner = pointers.length === 0 ? around : new Set([...around, ...pointers]);
    const [variant] = [...list(value['oneOf']), ...list(value['anyOf'])];
    const own = variant === undefined || value['properties'] ? this.#own(value, level, inner) : undefined;
    const parts = [...list(value['allOf']), ...(variant === undefined ? [] : [variant])];
    const samples = [...parts.map((part) => this.value(part, level, inner)), own];
    const objects = samples.filter(isObject);
    if (objects.length > 0) return Object.assign(Object.create(null), ...objects) as JsonObject;
    return samples.findLast((sample) => sample !== undefined);
  }

  #own(schema: JsonObject, level: number, around: ReadonlySet<string>): unknown {
    const type = typeOf(schema);
    if (type === 'object') return this.#object(schema, level, around);
    if (type === 'array') {
      const item = this.value(schema['items'], level + 1, around);
      return item === undefined ? [] : [item];
    }
    if (type === 'integer' || type === 'number') return numberIn(schema);
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    return type === 'string' ? textIn(schema) : undefined;
  }

  #object(schema: JsonObject, level: number, around: ReadonlySet<string>): JsonObject {
    // Names may be `__proto__`.
    const object = Object.create(null) as JsonObject;
    const hidden = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    for (const [name, property] of entries(schema['properties'])) {
      if (this.#left <= 0) break;
      if (isObject(property) && (property[hidden] === true || property['deprecated'] === true)) continue;
      const value = this.value(property, level + 1, around);
      if (value !== undefined) object[name] = value;
    }
    const additional = schema['additionalProperties'];
    if (isObject(additional) && Object.keys(object).length === 0) {
      const value = this.value(additional, level + 1, around);
      if (value !== undefined) object['property'] = value;
    }
    return object;
  }
}

function givenIn(schema: JsonObject): unknown {
  const { example, default: preset, const: constant } = schema;
  const [first] = list(schema['examples']);
  if (first !== undefined) return first;
  if (example !== undefined) return example;
  if (constant !== undefined) return constant;
  if (preset !== undefined && preset !== null) return preset;
  return list(schema['enum']).find((value) => value !== null);
}

function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (typeof type === 'string') return type;
  const named = strings(type).find((one) => one !== 'null');
  if (named !== undefined) return named;
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}

function numberIn(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof minimum === 'number') return exclusiveMinimum === true ? minimum + 1 : minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}

/** Of a text of which nothing is known. */
export const PLAIN_TEXT = 'text';

const FORMATS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    date: '2026-01-31',
    'date-time': '2026-01-31T12:00:00Z',
    time: '12:00:00Z',
    duration: 'P1D',
    email: 'user@example.com',
    uri: 'https://example.com',
    url: 'https://example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uuid: '123e4567-e89b-12d3-a456-426614174000',
    byte: 'dGV4dA==',
    binary: '<binary>',
    password: '********',
  }),
);

const textIn = ({ format }: JsonObject): string => FORMATS.get(format) ?? PLAIN_TEXT;
