import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '../src/platform/database/connection.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { openEmbeddedDatabase } from '../src/platform/embedded-postgres/index.ts';
import { migrateJobs } from '../src/platform/jobs/worker.ts';
import { PACKAGE_ROOT } from '../src/platform/version.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the tests' PostgreSQL: a connection string without the database. */
    database: { host: string; user: string; password: string };
    /** `host:port` of a server that answers every request with a Markdown file, for imports. */
    source: string;
  }
}

export const TEMPLATE = 'octavo_template';

/** One PostgreSQL for all test files, with a migrated template database that each of them copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'octavo-test-'));
  const embedded = await openEmbeddedDatabase({ dataDirectory, exclusive: true, log: () => undefined });
  const { host, user, password } = embedded.connection;
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  // Durability is not needed in tests.
  await admin.query('alter system set fsync = off');
  await admin.query('alter system set synchronous_commit = off');
  await admin.query('alter system set full_page_writes = off');
  await admin.query('select pg_reload_conf()');
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();

  const template = connect(
    { ...embedded.connection, database: TEMPLATE },
    { poolSize: 2, onCommit: () => undefined, onError: () => undefined },
  );
  await migrate(template.db, path.join(PACKAGE_ROOT, 'migrations'));
  await migrateJobs(template.pool);
  await template.close();

  const source = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Imported\n\nText of the source.\n');
  });
  await new Promise<void>((listening) => source.listen(0, '127.0.0.1', listening));
  project.provide('source', `127.0.0.1:${(source.address() as AddressInfo).port}`);

  project.provide('database', { host, user, password });
  return async () => {
    source.close();
    await embedded.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
}
