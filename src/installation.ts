import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { seed } from './first-start.ts';
import { openDatabase } from './open-database.ts';
import { connect, type Connection, type ConnectionTarget } from './platform/database/connection.ts';
import { explainRefusal } from './platform/database/explain-refusal.ts';
import { hasTables, migrate } from './platform/database/migrate.ts';
import { watchDatabase, type DatabaseWatch } from './platform/database/watch.ts';
import { StartError, type EmbeddedDatabase } from './platform/embedded-postgres/index.ts';
import { migrateJobs } from './platform/jobs/worker.ts';
import {
  FilesError,
  openDiskSpace,
  openFiles,
  UNLIMITED_DISK,
  type DiskSpace,
  type Files,
} from './platform/files/index.ts';
import { deriveKeys, type Keys } from './platform/keys.ts';
import { PACKAGE_ROOT } from './platform/version.ts';

/** The migrated database of this installation, its file storage, and the keys that decrypt its secrets. */
export interface Installation {
  readonly connection: Connection;
  readonly target: ConnectionTarget;
  readonly watch: DatabaseWatch;
  readonly keys: Keys;
  readonly files: Files;
  /** Free space on the disk of an embedded database. */
  readonly disk: DiskSpace;
  /** Resolves when the database is lost permanently. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly config: Config;
  readonly log: Logger;
  /** True for the one process that serves an embedded database. */
  readonly exclusive: boolean;
  readonly onCommit: (tags: readonly string[]) => void;
  /** False: a database without our tables is an error, not a new installation. */
  readonly creates?: boolean;
  /** Default: opened here. */
  readonly opening?: Promise<EmbeddedDatabase | undefined>;
}

export async function openInstallation({
  config,
  log,
  exclusive,
  onCommit,
  creates = true,
  opening = openDatabase(config, log, exclusive),
}: OpenOptions): Promise<Installation> {
  const database = await opening;
  const target = database?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const connection = connect(target, {
    poolSize: config.databasePool,
    onCommit,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  let files: Files | undefined;
  let watch: DatabaseWatch | undefined;
  const close = async () => {
    await watch?.stop();
    await files?.close();
    await connection.close();
    await database?.stop();
  };
  try {
    if (!creates) await explained(config, requireTables(connection));
    const { known } = await explained(config, migrateDatabase(target, onCommit, log));
    await migrateJobs(connection.pool);
    const keys = deriveKeys(config.secret ?? (await secretOf(connection, config.dataDirectory)));
    files = await explainedFiles(config);
    const disk = database ? await openDiskSpace(config.dataDirectory, config.diskReserve) : UNLIMITED_DISK;
    await claim(connection, keys, files, config);
    if (exclusive) await setOrganizationStorage(connection, config);
    watch = watchDatabase({ target, connection, migrations: known, log });
    return {
      connection,
      target,
      watch,
      keys,
      files,
      disk,
      lost: database?.lost ?? new Promise(() => undefined),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireTables({ db }: Connection): Promise<void> {
  if (!(await hasTables(db)))
    throw new StartError(
      'The database at DATABASE_URL is not one of Octavo. Correct DATABASE_URL, or create the database: octavo migrate.',
    );
}

/** Rewriting a table or building an index of a large installation may take longer than any statement of a request. */
const LONGEST_MIGRATION_MS = 24 * 60 * 60 * 1000;

async function migrateDatabase(
  target: ConnectionTarget,
  onCommit: OpenOptions['onCommit'],
  log: Logger,
): ReturnType<typeof migrate> {
  const { db, close } = connect(target, {
    poolSize: 2,
    onCommit,
    onError: () => undefined,
    longestStatementMs: LONGEST_MIGRATION_MS,
  });
  try {
    return await migrate(db, path.join(PACKAGE_ROOT, 'migrations'), log);
  } finally {
    await close();
  }
}

/** The operator resolves an unreachable database or rejected credentials: one line instead of a stack trace. */
async function explained<T>({ databaseUrl }: Config, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const explanation = databaseUrl && explainRefusal(databaseUrl, error);
    throw explanation ? new StartError(explanation) : error;
  }
}

async function explainedFiles(config: Config): Promise<Files> {
  try {
    return await openFiles(config.files, { diskReserve: config.diskReserve });
  } catch (error) {
    if (error instanceof FilesError) throw new StartError(error.message);
    throw error;
  }
}

/** The storage quota, which database triggers check. Commands and workers do not write it: their environment may lack it. */
async function setOrganizationStorage({ db }: Connection, { organizationStorage }: Config): Promise<void> {
  await db
    .updateTable('installation')
    .set({ organization_storage: organizationStorage === 0 ? null : organizationStorage })
    .execute();
}

const secretFileOf = (dataDirectory: string): string => path.join(dataDirectory, 'secret');

/** The master key of an embedded installation, generated on the first start. */
async function secretOf({ db }: Connection, dataDirectory: string): Promise<string> {
  const file = secretFileOf(dataDirectory);
  if (!existsSync(file)) {
    if (await db.selectFrom('installation').select('only_one').executeTakeFirst()) {
      throw new StartError(
        `The master key ${file} is missing, and values in the database are encrypted with it. Restore the file from a backup, or set OCTAVO_SECRET to what it contained.`,
      );
    }
    // Written and synced under a temporary name first: another process must never read a partial key.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Initialises a new database: stores the fingerprint of the master key and the initial content in one transaction.
 * Rejects an existing database with another fingerprint.
 */
async function claim({ db }: Connection, keys: Keys, files: Files, config: Config): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const claimed = await transaction
      .insertInto('installation')
      .values({ secret_fingerprint: keys.fingerprint })
      .onConflict((conflict) => conflict.doNothing())
      .returning('secret_fingerprint')
      .executeTakeFirst();
    if (claimed) {
      const { administratorId, homeSiteId } = await seed(transaction, files, config);
      await transaction
        .updateTable('installation')
        .set({ administrator_id: administratorId, home_site_id: homeSiteId })
        .execute();
      return;
    }
    const { secret_fingerprint: fingerprint } = await transaction
      .selectFrom('installation')
      .select('secret_fingerprint')
      .executeTakeFirstOrThrow();
    if (fingerprint !== keys.fingerprint) {
      const source = config.secret === undefined ? secretFileOf(config.dataDirectory) : 'OCTAVO_SECRET';
      throw new StartError(
        `${source} differs from the secret that this database was created with, so its encrypted values cannot be read. Set the original secret.`,
      );
    }
  });
}
