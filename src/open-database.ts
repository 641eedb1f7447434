import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './platform/embedded-postgres/index.ts';

/**
 * Starts the embedded database; undefined if `DATABASE_URL` names another. `exclusive`: for the one process that serves it.
 * A module of its own, so that PostgreSQL can start while the rest of the program is loaded.
 */
export const openDatabase = async (
  config: Config,
  log: Logger,
  exclusive: boolean,
): Promise<EmbeddedDatabase | undefined> =>
  config.databaseUrl
    ? undefined
    : openEmbeddedDatabase({
        dataDirectory: config.dataDirectory,
        exclusive,
        log: (line) => log.info(line),
      });
