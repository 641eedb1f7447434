import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../src/config.ts';
import { openInstallation } from '../src/installation.ts';
import { connect } from '../src/platform/database/connection.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { openEmbeddedDatabase } from '../src/platform/embedded-postgres/index.ts';
import { migrateJobs } from '../src/platform/jobs/worker.ts';
import { PACKAGE_ROOT } from '../src/platform/version.ts';
import { asAdmin, EMPTY_TEMPLATE, FIRST_START, SEEDED_TEMPLATE, urlOf } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the tests' PostgreSQL: a connection string without the database. */
    database: { host: string; user: string; password: string };
    /** `host:port` of a server that answers every request with a Markdown file, for imports. */
    source: string;
    /** A folder of this run, for a data directory that tests of the program copy. */
    prepared: string;
    /** The folder of the built program, if it was built from the present sources. */
    scripts: string | undefined;
  }
}

/** Durability is not needed in tests. The log is short, because it may be in memory. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
};

const MEMORY = '/dev/shm';
/** What all folders of a run need at most, several times over. */
const NEEDED_MEMORY = 3 * 2 ** 30;

/** A folder for all temporary files of the run: in memory, where a database is created six times as fast, if there is room. */
function temporaryFolder(): string {
  const isInMemory = hasRoomInMemory();
  if (isInMemory) removeAbandoned();
  const folder = mkdtempSync(path.join(isInMemory ? MEMORY : tmpdir(), `octavo-test-${process.pid}-`));
  // PostgreSQL and some programs run as other users.
  chmodSync(folder, 0o1777);
  return folder;
}

/** Folders of runs that were killed, which would take memory until the next restart. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^octavo-test-(\d+)-/.exec(name)?.[1];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(path.join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Of another user.
    }
  }
}

function hasRoomInMemory(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.includes(` ${MEMORY} `));
    const { bavail, bsize } = statfsSync(MEMORY);
    return mount !== undefined && !/\b(ro|noexec)\b/.test(mount) && bavail * bsize > NEEDED_MEMORY;
  } catch {
    return false;
  }
}

async function builtScripts(): Promise<string | undefined> {
  const { isBuilt, PROGRAM } = (await import(path.join(PACKAGE_ROOT, 'build-stale.js'))) as {
    isBuilt(part: object): boolean;
    PROGRAM: { readonly output: string };
  };
  return isBuilt(PROGRAM) ? path.join(PACKAGE_ROOT, path.dirname(PROGRAM.output)) : undefined;
}

/** One PostgreSQL for all test files, with the template databases that they copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  // The browser is unpacked once for all runs.
  process.env['TMPDIR_OF_BROWSER'] = tmpdir();
  process.env['TMPDIR'] = folder;
  const dataDirectory = mkdtempSync(path.join(folder, 'postgres-'));
  const log = () => undefined;
  const embedded = await openEmbeddedDatabase({ dataDirectory, exclusive: true, log, settings: SETTINGS });
  const { host, user, password } = embedded.connection;
  await asAdmin(embedded.connection, `create database ${EMPTY_TEMPLATE}`);
  const template = connect(
    { ...embedded.connection, database: EMPTY_TEMPLATE },
    { poolSize: 2, onCommit: () => undefined, onError: () => undefined },
  );
  await migrate(template.db, path.join(PACKAGE_ROOT, 'migrations'));
  await migrateJobs(template.pool);
  await template.close();
  await asAdmin(embedded.connection, `create database ${SEEDED_TEMPLATE} template ${EMPTY_TEMPLATE}`);
  const config = loadConfig({
    ...FIRST_START,
    DATABASE_URL: urlOf({ host, user, password, database: SEEDED_TEMPLATE }),
    OCTAVO_FILES: path.join(dataDirectory, 'files'),
  });
  const installation = await openInstallation({
    config,
    log: pino({ level: 'silent' }),
    exclusive: true,
    onCommit: () => undefined,
  });
  await installation.close();

  const source = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Imported\n\nText of the source.\n');
  });
  await new Promise<void>((listening) => source.listen(0, '127.0.0.1', listening));
  project.provide('source', `127.0.0.1:${(source.address() as AddressInfo).port}`);

  project.provide('database', { host, user, password });
  const prepared = mkdtempSync(path.join(folder, 'prepared-'));
  project.provide('prepared', prepared);
  project.provide('scripts', await builtScripts());
  return async () => {
    source.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
