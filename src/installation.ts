import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { seed } from './first-start.ts';
import { openDatabase } from './open-database.ts';
import {
  connect,
  isDatabaseAway,
  type Connection,
  type ConnectionTarget,
} from './platform/database/connection.ts';
import { migrate } from './platform/database/migrate.ts';
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
  /** Default: opened here. */
  readonly opening?: Promise<EmbeddedDatabase | undefined>;
}

export async function openInstallation({
  config,
  log,
  exclusive,
  onCommit,
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
  const close = async () => {
    await files?.close();
    await connection.close();
    await database?.stop();
  };
  try {
    await explained(config, migrateDatabase(target, onCommit));
    await migrateJobs(connection.pool);
    const keys = deriveKeys(config.secret ?? secretOf(config.dataDirectory));
    files = await explainedFiles(config);
    const disk = database ? await openDiskSpace(config.dataDirectory, config.diskReserve) : UNLIMITED_DISK;
    await claim(connection, keys, files, config);
    if (exclusive) await setOrganizationStorage(connection, config);
    return {
      connection,
      target,
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

/** Rewriting a table or building an index of a large installation may take longer than any statement of a request. */
const LONGEST_MIGRATION_MS = 24 * 60 * 60 * 1000;

async function migrateDatabase(target: ConnectionTarget, onCommit: OpenOptions['onCommit']): Promise<void> {
  const { db, close } = connect(target, {
    poolSize: 2,
    onCommit,
    onError: () => undefined,
    longestStatementMs: LONGEST_MIGRATION_MS,
  });
  try {
    await migrate(db, path.join(PACKAGE_ROOT, 'migrations'));
  } finally {
    await close();
  }
}

/** The operator resolves an unreachable database or rejected credentials: one line instead of a stack trace. */
async function explained<T>(config: Config, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isConfigurationError = isDatabaseAway(error) || /^(28|3D000|42501)/.test(code);
    if (config.databaseUrl && isConfigurationError) {
      const { host, pathname } = new URL(config.databaseUrl);
      // If both addresses of a host refuse the connection, the error has a code and no message.
      const reason = message || code;
      throw new StartError(
        `Cannot use the database ${host}${pathname}: ${reason}. Start it, or correct DATABASE_URL.`,
      );
    }
    throw error;
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

/** The master key of an embedded installation, generated on the first start. */
function secretOf(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'secret');
  if (!existsSync(file)) {
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
      throw new StartError(
        'OCTAVO_SECRET differs from the secret that this database was created with, so its encrypted values cannot be read. Set the original secret.',
      );
    }
  });
}
