import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from './connection.ts';

export class MigrationError extends Error {}

type Log = Pick<Logger, 'info'>;

/**
 * Migrates the database to the version of this program, and says how many migrations that has. Concurrent starts are
 * serialised by an advisory lock.
 */
export async function migrate(
  db: Database,
  folder: string,
  log?: Log,
): Promise<{ readonly known: number; readonly applied: readonly string[] }> {
  const applied = await readApplied(db);
  // The migrations of a new database are one step, and are not logged one by one.
  const migrations = await readMigrations(folder, applied.size > 0 ? log : undefined);
  const names = Object.keys(migrations);
  const known = names.length;
  refuseUnknownMigrations(applied, names);
  // The migrator reads the whole catalog, which takes longer than the rest of a start.
  if (names.every((name) => applied.has(name))) return { known, applied: [] };
  const begun = performance.now();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  if (applied.size === 0) log?.info({ ms: msSince(begun) }, 'the database was created');
  return { known, applied: results.map((result) => result.migrationName) };
}

const msSince = (begun: number): number => Math.round(performance.now() - begun);

async function readMigrations(folder: string, log: Log | undefined): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return Object.fromEntries(
    files.map((file, index) => {
      const name = path.basename(file, '.sql');
      return [name, { up: (db: Kysely<unknown>) => apply(db, name, texts[index] ?? '', log) }];
    }),
  );
}

async function apply(db: Kysely<unknown>, migration: string, text: string, log?: Log): Promise<void> {
  const begun = performance.now();
  await sql.raw(text).execute(db);
  log?.info({ migration, ms: msSince(begun) }, 'a migration was applied');
}

async function readApplied(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return new Set();
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(applied.rows.map((row) => row.name));
}

/** The names of migrations before the baseline. */
const DATED = /^\d{4}-\d{2}-\d{2}T/;

function refuseUnknownMigrations(applied: ReadonlySet<string>, known: readonly string[]): void {
  const unknown = [...applied].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  if (unknown.some((name) => DATED.test(name))) {
    throw new MigrationError(
      'The database was created by a version of Octavo before its first release, and cannot be migrated. Start with a new database (set OCTAVO_DATA or DATABASE_URL). To keep the content, export each space with the earlier version (octavo export), and import it with this one.',
    );
  }
  throw new MigrationError(
    `The database is newer than this program (unknown migrations: ${unknown.join(', ')}). Run a newer Octavo, or restore a backup.`,
  );
}

/** Whether it was ever migrated. */
export async function hasTables(db: Database): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean;
  }>`select to_regclass('installation') is not null as found`.execute(db);
  return rows[0]?.found === true;
}
