import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import pg from 'pg';
import { clientClass, PIPELINED } from './client.ts';
import type { Database } from './connection.ts';

let app: TestApp;
let db: Database;

beforeAll(async () => {
  app = await startApp();
  ({ db } = app.app.installation.connection);
  await sql`create table notes (id int primary key)`.execute(db);
});

const note = (on: Database, id: number) => sql`${PIPELINED} insert into notes values (${id})`.execute(on);

async function notes(on: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(on);
  return rows.map(({ id }) => id);
}

describe('a statement that is not waited for', () => {
  test('is there for the next one, and after the commit', async () => {
    const within = await db.transaction().execute(async (transaction) => {
      await note(transaction, 1);
      await note(transaction, 2);
      return notes(transaction);
    });
    expect(within).toEqual([1, 2]);
    await db.transaction().execute((transaction) => note(transaction, 3));
    expect(await notes(db)).toEqual([1, 2, 3]);
  });

  test('that fails is what the next statement throws, and nothing of the transaction stays', async () => {
    const failing = db.transaction().execute(async (transaction) => {
      await note(transaction, 4);
      await note(transaction, 1);
      await note(transaction, 5);
      return notes(transaction);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' });
    expect(await notes(db)).toEqual([1, 2, 3]);
  });

  test('that fails is what the commit throws', async () => {
    const failing = db.transaction().execute((transaction) => note(transaction, 2));
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await notes(db)).toEqual([1, 2, 3]);
  });

  test('that fails does not keep a transaction from going back to a savepoint', async () => {
    await db.transaction().execute(async (transaction) => {
      await sql`savepoint here`.execute(transaction);
      await note(transaction, 1);
      await sql`rollback to savepoint here`.execute(transaction);
      await note(transaction, 6);
    });
    expect(await notes(db)).toEqual([1, 2, 3, 6]);
    await sql`delete from notes where id = 6`.execute(db);
  });

  test('is waited for where there is no transaction that could fail', async () => {
    await expect(note(db, 1)).rejects.toMatchObject({ code: '23505' });
    await note(db, 7);
    expect(await notes(db)).toEqual([1, 2, 3, 7]);
    await sql`delete from notes where id = 7`.execute(db);
  });

  test('hides no other reason to fail, and the connection is as good as before', async () => {
    const failing = db.transaction().execute(async (transaction) => {
      await note(transaction, 3);
      throw new Error('another reason');
    });
    await expect(failing).rejects.toThrow('another reason');
    const all = Array.from({ length: 12 }, (_each, index) => 10 + index);
    await Promise.all(all.map((id) => db.transaction().execute((transaction) => note(transaction, id))));
    expect(await notes(db)).toEqual([1, 2, 3, ...all]);
  });

  test('is sent at once if it is long, so that the database executes it meanwhile', async () => {
    const isLocked = async () => {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and objid = 4711`.execute(
        db,
      );
      return rows.length > 0;
    };
    await db.transaction().execute(async (transaction) => {
      await sql`${PIPELINED} select pg_advisory_xact_lock(4711), ${'x'.repeat(20_000)}::text`.execute(
        transaction,
      );
      await expect.poll(isLocked).toBe(true);
    });
  });

  test('is waited for if its parameters are large', async () => {
    await db.transaction().execute(async (transaction) => {
      const ids = Array.from({ length: 300_000 }, () => '1');
      const large = sql`${PIPELINED} insert into notes select distinct unnest(${ids}::text[])::int`;
      await sql`savepoint here`.execute(transaction);
      await expect(large.execute(transaction)).rejects.toMatchObject({ code: '23505' });
      await sql`rollback to savepoint here`.execute(transaction);
    });
  });
});

describe('the time limit of a connection', () => {
  const LIMIT_MS = 2_000;

  // It is reached when a test says so, not on a machine that is merely slow.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  async function inTransaction(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const Client = clientClass(() => undefined, LIMIT_MS);
    const client = new Client({ ...app.database, pipeline: true } as pg.ClientConfig);
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin', []);
      await work(client);
      await client.query('commit', []);
    } finally {
      await client.end();
    }
  }

  test('ends one that does not answer', async () => {
    const waiting = inTransaction(async (client) => {
      await client.query('/* pipelined */ select pg_sleep($1)', [60]);
      const next = client.query('select $1::int', [1]);
      vi.advanceTimersByTime(LIMIT_MS);
      await next;
    });
    await expect(waiting).rejects.toThrow('Connection terminated');
  });

  test('begins again with every answer, so that pipelined statements may take longer together', async () => {
    const locks = [1, 2, 3, 4];
    for (const lock of locks) await app.sql('select pg_advisory_lock($1)', [lock]);
    onTestFinished(async () => void (await app.sql('select pg_advisory_unlock_all()')));
    let answers = 0;
    const waiting = inTransaction(async (client) => {
      // Nearly the whole limit passes before each answer. The next statement waits until then.
      client.connection.stream.on('data', () => {
        vi.advanceTimersByTime(LIMIT_MS - 1);
        void app.sql('select pg_advisory_unlock($1)', [++answers]);
      });
      for (const lock of locks) await client.query('/* pipelined */ select pg_advisory_lock($1)', [lock]);
    });
    await expect(waiting).resolves.toBeUndefined();
    expect(answers).toBeGreaterThan(locks.length);
  });

  test('does not begin for a statement that is not sent yet', async () => {
    const waiting = inTransaction(async (client) => {
      const answered = once(client.connection.stream, 'data');
      await client.query('/* pipelined */ select $1::text', ['x'.repeat(20_000)]);
      await client.query('/* pipelined */ select $1::text', ['short']);
      await answered;
      await setImmediate();
      vi.advanceTimersByTime(LIMIT_MS);
    });
    await expect(waiting).resolves.toBeUndefined();
  });
});
