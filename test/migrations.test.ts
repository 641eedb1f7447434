import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Database } from '../src/platform/database/connection.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { PACKAGE_ROOT } from '../src/platform/version.ts';
import { aDatabase } from './databases.ts';

const FOLDER = path.join(PACKAGE_ROOT, 'migrations');
const names = readdirSync(FOLDER)
  .map((file) => path.basename(file, '.sql'))
  .toSorted();

async function migratedDatabase(): Promise<Database> {
  const quiet = { poolSize: 1, onCommit: () => undefined, onError: () => undefined };
  const { db, close } = connect(await aDatabase(), quiet);
  onTestFinished(close);
  return db;
}

const appliedTo = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
};

test('migrations are numbered, without a gap', () => {
  expect(names.map((name) => name.replace(/-[a-z]+(-[a-z]+)*$/, ''))).toEqual(
    names.map((_name, index) => String(index + 1).padStart(4, '0')),
  );
});

test('a later version applies its own migrations only, and logs each', async () => {
  const db = await migratedDatabase();
  const later = mkdtempSync(path.join(tmpdir(), 'octavo-migrations-'));
  onTestFinished(() => rmSync(later, { recursive: true }));
  cpSync(FOLDER, later, { recursive: true });
  writeFileSync(path.join(later, '9999-later.sql'), 'create table later (id text primary key);');
  const logged: unknown[] = [];
  const log = { info: (line: unknown) => void logged.push(line) };
  expect(await migrate(db, later, log)).toEqual({ known: names.length + 1, applied: ['9999-later'] });
  expect(logged).toEqual([{ migration: '9999-later', ms: expect.any(Number) }]);
  expect(await migrate(db, later, log)).toEqual({ known: names.length + 1, applied: [] });
  await expect(migrate(db, FOLDER)).rejects.toThrow(
    'The database is newer than this program (unknown migrations: 9999-later).',
  );
});

test('a database from before the first release is refused and not changed', async () => {
  const db = await migratedDatabase();
  await sql`delete from kysely_migration`.execute(db);
  const former = ['2026-11-15T0200-foundation', '2026-11-15T0300-spaces'];
  for (const name of former) await sql`insert into kysely_migration values (${name}, '')`.execute(db);
  await expect(migrate(db, FOLDER)).rejects.toThrow(
    /^The database was created by a version of Octavo before its first release, .* Start with a new database .*octavo export/,
  );
  expect(await appliedTo(db)).toEqual(former);
});
