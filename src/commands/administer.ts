import { createLog } from '../app.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import type { Database } from '../platform/database/connection.ts';
import type { Files } from '../platform/files/index.ts';
import { stopRequested } from './signals.ts';

/** Runs `work` in one transaction on this installation's database, beside a running server or alone. */
export async function administer<T>(work: (db: Database, files: Files) => Promise<T>): Promise<T> {
  // Nobody waits for it: what was begun is finished, and the database is not left running.
  void stopRequested();
  const config = readConfig();
  // What a command has to say it prints itself.
  const log = createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
  try {
    const { connection, files } = installation;
    return await connection.db.transaction().execute((db) => work(db, files));
  } finally {
    await installation.close();
  }
}
