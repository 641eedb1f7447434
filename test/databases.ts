import { inject } from 'vitest';
import pg from 'pg';
import { newId } from '../src/platform/api/ids.ts';
import { atEnd } from './at-end.ts';

/** Migrated and empty. */
export const EMPTY_TEMPLATE = 'octavo_empty';
/** After a first start with the environment `FIRST_START`. The files of the handbook are not stored. */
export const SEEDED_TEMPLATE = 'octavo_seeded';

/** What the first start of an installation depends on. */
export const FIRST_START: Readonly<Record<string, string>> = {
  OCTAVO_SECRET: 'a secret for tests alone',
  OCTAVO_HANDBOOK: 'off',
};
const FIRST_START_VARIABLES = new Set([
  'OCTAVO_SECRET',
  'OCTAVO_HANDBOOK',
  'OCTAVO_ORG_TITLE',
  'OCTAVO_ORG_STORAGE',
]);

export type TestDatabase = ReturnType<typeof newDatabase>;

const newDatabase = () => ({ ...inject('database'), database: `test_${newId().toLowerCase()}` });

/** A copy of a template, dropped after the test file. */
export async function aDatabase(template = EMPTY_TEMPLATE): Promise<TestDatabase> {
  const database = newDatabase();
  await asAdmin(database, `create database ${database.database} template ${template}`);
  atEnd(() => asAdmin(database, `drop database ${database.database} with (force)`));
  return database;
}

/** A database for an installation: the first start takes half a second, so most tests use one that was started before. */
export const aDatabaseFor = (environment: Readonly<Record<string, string>>): Promise<TestDatabase> => {
  const isSeeded = !Object.keys(environment).some(
    (name) => FIRST_START_VARIABLES.has(name) || name.startsWith('OCTAVO_ADMIN_'),
  );
  return aDatabase(isSeeded ? SEEDED_TEMPLATE : EMPTY_TEMPLATE);
};

export function urlOf({ host, user, password, database }: TestDatabase): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.username = user;
  url.password = password;
  url.searchParams.set('host', host);
  return url.href;
}

export async function asAdmin(server: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(text);
  await client.end();
}
