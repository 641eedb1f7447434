import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Database } from '../src/platform/database/connection.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { newId } from '../src/platform/api/ids.ts';
import { PACKAGE_ROOT } from '../src/platform/version.ts';

export const MIGRATIONS = path.join(PACKAGE_ROOT, 'migrations');

/** A database at the schema before a migration; `work` receives what it needs to migrate it. */
export async function withOlderDatabase(
  migration: string,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const server = inject('database');
  const database = `test_${newId().toLowerCase()}`;
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${database}`);
  const connection = connect(
    { ...server, database },
    { poolSize: 1, onCommit: () => undefined, onError: () => undefined },
  );
  const older = mkdtempSync(path.join(tmpdir(), 'octavo-migrations-'));
  try {
    for (const file of readdirSync(MIGRATIONS))
      if (file < migration) cpSync(path.join(MIGRATIONS, file), path.join(older, file));
    await migrate(connection.db, older);
    await work(connection.db);
  } finally {
    rmSync(older, { recursive: true });
    await connection.close();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}
