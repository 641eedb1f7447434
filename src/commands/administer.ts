import { createLog } from '../app.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import type { Database } from '../platform/database/connection.ts';
import { hasDatabase } from '../platform/embedded-postgres/index.ts';
import type { Files } from '../platform/files/index.ts';
import { CommandError } from './command.ts';
import { stopRequested } from './signals.ts';

/** Runs `work` in one transaction on this installation's database, whether or not a server is running. */
export const administer = <T>(work: (db: Database, files: Files) => Promise<T>): Promise<T> =>
  onInstallation((db, files) => db.transaction().execute((transaction) => work(transaction, files)));

/**
 * The same without a transaction, for long work that starts its own. A command with the wrong data directory must not
 * create a second, empty installation there: that requires `creates`.
 */
export async function onInstallation<T>(
  work: (db: Database, files: Files) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  // The promise is not awaited: on a signal, the work is completed and the database is stopped.
  void stopRequested();
  const config = readConfig();
  if (!creates && !config.databaseUrl && !hasDatabase(config.dataDirectory)) {
    throw new CommandError(
      `There is no database in ${config.dataDirectory}. Set OCTAVO_DATA to the data directory of your server, or start a server: octavo serve.`,
    );
  }
  // Commands print their own messages.
  const log = createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
  try {
    return await work(installation.connection.db, installation.files);
  } finally {
    await installation.close();
  }
}
