import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { createLog } from '../src/log.ts';
import { loadConfig } from '../src/config.ts';
import { runImports } from '../src/domains/imports/runs/jobs.ts';
import type { Database } from '../src/platform/database/connection.ts';
import type { JobContext } from '../src/platform/jobs/job.ts';
import type { TestApp } from './app.ts';

const log = createLog(loadConfig({ OCTAVO_LOG_LEVEL: 'silent' }));

export const jobContext = ({ app }: TestApp): JobContext => ({
  ...app.context,
  db: app.installation.connection.db,
  log,
});

/** Performs the next run, as the worker does. */
export const performImports = (app: TestApp): Promise<void> => runImports.run(jobContext(app), {});

/** What surrounds a statement of a job, `begin` and `commit` included. What it throws is an error of the statement. */
export type Around = (send: () => Promise<unknown>, text: string) => Promise<unknown>;

/** The same, with something around each statement. */
export const performObserved = (app: TestApp, around: Around): Promise<void> =>
  runImports.run({ ...jobContext(app), db: observed(app, around) }, {});

export function observed({ app }: TestApp, around: Around): Database {
  const { pool } = app.installation.connection;
  const observedPool = {
    async connect() {
      const client = await pool.connect();
      return {
        query: (text: string, values: unknown[]) => around(() => client.query(text, values), text),
        release: () => client.release(),
      };
    },
    end: () => Promise.resolve(),
  };
  return new Kysely({ dialect: new PostgresDialect({ pool: observedPool as unknown as PostgresPool }) });
}
