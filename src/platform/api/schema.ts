import Type, { type Static, type TSchema, type TProperties } from 'typebox';
import Format from 'typebox/format';

/**
 * Dates that JavaScript and PostgreSQL can read. The library also accepts leap seconds, other calendars and the year 0,
 * which RFC 3339 permits, and PostgreSQL no time zone that is 16 hours or more from UTC.
 */
function isReadable(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999 && !/[+-](1[6-9]|2\d):?\d\d$/.test(text);
}

// Replaces the formats of the library.
Format.Set('date-time', (text) => Format.IsDateTime(text) && isReadable(text));
Format.Set('date', (text) => Format.IsDate(text) && isReadable(text));

/** Words that several resources share. An object with a `title` becomes a component of the OpenAPI document. */

/** `null` beside a type, as one JSON Schema type list: validators and serialisers both handle it directly. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export const Timestamp = Type.String({ format: 'date-time' });
export const Uri = Type.String({ format: 'uri' });

export const listQuery = {
  page: Type.Optional(
    Type.String({ maxLength: 4096, description: 'Cursor: `next.page` of the previous response' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Items per page; default: 50. `0` returns only the count.',
    }),
  ),
};

export const ListQuery = Type.Object(listQuery);
export type ListQuery = Static<typeof ListQuery>;

export const listOf = <S extends TSchema>(item: S) =>
  Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Number({ description: 'Total number of items' }),
    items: Type.Array(item),
  });

/** A response object named in the OpenAPI document. */
export const named = <P extends TProperties>(name: string, properties: P, options: object = {}) =>
  Type.Object(properties, { ...options, title: name });

/** A line of text that people read: no control characters in it. */
export const line = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
