import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { createLog } from '../log.ts';
import type { Database } from '../platform/database/connection.ts';
import { hasDatabase } from '../platform/embedded-postgres/index.ts';
import type { Files } from '../platform/files/index.ts';
import { CommandError } from './command.ts';
import { stopRequested } from './signals.ts';

/** Runs `work` in one transaction on this installation's database, whether or not a server is running. */
export const administer = <T>(work: (db: Database, files: Files) => Promise<T>): Promise<T> =>
  onInstallation((db, files) => db.transaction().execute((transaction) => work(transaction, files)));

/**
 * Runs `work` without a transaction: long work opens its own. Unless `creates` is set, a missing
 * database is an error: a command with a wrong OCTAVO_DATA must not create a second, empty installation.
 */
export async function onInstallation<T>(
  work: (db: Database, files: Files) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  // Handles SIGINT and SIGTERM without stopping: the work finishes, and the embedded database is shut down.
  void stopRequested();
  const config = readConfig();
  if (!creates && !config.databaseUrl && !hasDatabase(config.dataDirectory)) {
    throw new CommandError(
      `There is no database in ${config.dataDirectory}. Set OCTAVO_DATA to the data directory of your server, or start a server: octavo serve.`,
    );
  }
  // Commands print their own output.
  const log = createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const installation = await openInstallation({
    config,
    log,
    exclusive: false,
    creates,
    onCommit: () => undefined,
  });
  try {
    return await work(installation.connection.db, installation.files);
  } finally {
    await installation.close();
  }
}
