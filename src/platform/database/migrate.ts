import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import type { Database } from './connection.ts';

export class MigrationError extends Error {}

/** Migrates the database to the version of this program. Concurrent starts are serialised by an advisory lock. */
export async function migrate(db: Database, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const names = Object.keys(migrations);
  const applied = await readApplied(db);
  refuseNewerDatabase(applied, names);
  // The migrator reads the whole catalog, which takes longer than the rest of a start.
  if (names.every((name) => applied.has(name))) return [];
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return Object.fromEntries(
    files.map((file, index) => [
      path.basename(file, '.sql'),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(texts[index] ?? '').execute(db)) },
    ]),
  );
}

async function readApplied(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return new Set();
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(applied.rows.map((row) => row.name));
}

function refuseNewerDatabase(applied: ReadonlySet<string>, known: readonly string[]): void {
  const unknown = [...applied].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program (unknown migrations: ${unknown.join(', ')}). Run a newer Octavo, or restore a backup.`,
    );
  }
}
