import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import type { Database } from './connection.ts';
import { encodeTextArrays } from './text-arrays.ts';

let db: Database;

beforeAll(async () => {
  ({ db } = (await startApp()).app.installation.connection);
});

async function throughDatabase(texts: readonly (string | null)[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ text: string | null }>`
    select text from unnest(${texts}::text[]) with ordinality as sent (text, place) order by place`.execute(
    db,
  );
  return rows.map(({ text }) => text);
}

const storable = fc
  .string({ unit: 'binary' })
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());
const delicate = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', '\n', '\u0001', '語', '😀'),
});

test('every text of an array arrives as it is', async () => {
  const element = fc.oneof(storable, delicate, fc.constantFrom('', 'NULL', 'null', null));
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 8 }), async (texts) => {
      expect(await throughDatabase(texts)).toEqual(texts);
    }),
    { numRuns: 200 },
  );
});

test('other values are left to pg', () => {
  const values = ['{"', 1, null, [1, 2], [Buffer.from('a')], [['a']], new Date(0), { a: 1 }];
  expect(encodeTextArrays(values)).toEqual(values);
});
