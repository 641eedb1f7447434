import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import type { Database } from './connection.ts';
import { encodeArrays, longTexts } from './arrays.ts';

let db: Database;

beforeAll(async () => {
  ({ db } = (await startApp()).app.installation.connection);
});

async function throughDatabase<T>(array: unknown, type: 'text' | 'bytea'): Promise<T[]> {
  const { rows } = await sql<{ element: T }>`
    select element from unnest(${array}::${sql.raw(type)}[]) with ordinality as sent (element, place)
    order by place`.execute(db);
  return rows.map(({ element }) => element);
}

const storable = fc
  .string({ unit: 'binary' })
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());
const delicate = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', '\n', '\u0001', '語', '😀'),
});

const text = fc.oneof(storable, delicate, fc.constantFrom('', 'NULL', 'null'));

test('every text of an array arrives as it is', async () => {
  const element = fc.oneof(text, fc.constant(null));
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 8 }), async (texts) => {
      expect(await throughDatabase(texts, 'text')).toEqual(texts);
    }),
    { numRuns: 200 },
  );
});

test('every long text of an array arrives as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
      expect(await throughDatabase(longTexts(texts), 'text')).toEqual(texts);
    }),
    { numRuns: 200 },
  );
});

test('every element of an array of bytes arrives as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array(), { maxLength: 8 }), async (arrays) => {
      expect(await throughDatabase(arrays, 'bytea')).toEqual(arrays.map((bytes) => Buffer.from(bytes)));
    }),
    { numRuns: 200 },
  );
});

test('other values are left to pg', () => {
  const values = ['{"', 1, null, [1, 2], [['a']], new Date(0), { a: 1 }, Buffer.from('a')];
  expect(encodeArrays(values)).toEqual(values);
});
