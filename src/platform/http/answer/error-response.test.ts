import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../../test/app.ts';
import type { Database } from '../../database/connection.ts';
import { toApiError } from './error-response.ts';

let db: Database;

beforeAll(async () => {
  const { app } = await startApp();
  ({ db } = app.installation.connection);
  await sql`create table labels (label text primary key)`.execute(db);
});

async function answerTo(statement: (db: Database) => Promise<unknown>) {
  const thrown = await statement(db).catch((error: unknown) => error);
  return toApiError(thrown, {});
}

describe('an error of the database', () => {
  test('is 503 if a statement exceeds its time limit', async () => {
    const answer = await answerTo((on) =>
      on.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 20`.execute(transaction);
        await sql`select pg_sleep(5)`.execute(transaction);
      }),
    );
    expect(answer).toMatchObject({ status: 503, message: expect.stringContaining('too long') });
  });

  test('is 413 if a value is too long for an index', async () => {
    // Hashes, because repeated text is compressed.
    const answer = await answerTo((on) =>
      sql`insert into labels select string_agg(md5(n::text), '') from generate_series(1, 400) n`.execute(on),
    );
    expect(answer).toMatchObject({ status: 413, message: expect.stringContaining('too long') });
  });
});
