import { createLog } from '../app.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import type { Database } from '../platform/database/connection.ts';
import { hasDatabase } from '../platform/embedded-postgres/index.ts';
import type { Files } from '../platform/files/index.ts';
import { CommandError } from './command.ts';
import { stopRequested } from './signals.ts';

/** Runs `work` in one transaction on this installation's database, beside a running server or alone. */
export const administer = <T>(work: (db: Database, files: Files) => Promise<T>): Promise<T> =>
  onInstallation((db, files) => db.transaction().execute((transaction) => work(transaction, files)));

/**
 * The same without a transaction, for what takes long and says itself what belongs together. A command that looks into
 * the wrong directory must not make a second, empty installation there: only one that `creates` may.
 */
export async function onInstallation<T>(
  work: (db: Database, files: Files) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  // Nobody waits for it: what was begun is finished, and the database is not left running.
  void stopRequested();
  const config = readConfig();
  if (!creates && !config.databaseUrl && !hasDatabase(config.dataDirectory)) {
    throw new CommandError(
      `There is no database in ${config.dataDirectory}. Set OCTAVO_DATA to the data directory of your server, or start a server: octavo serve.`,
    );
  }
  // What a command has to say it prints itself.
  const log = createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
  try {
    return await work(installation.connection.db, installation.files);
  } finally {
    await installation.close();
  }
}
