import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FIRST_START, SEEDED_TEMPLATE } from '../databases.ts';
import { createDatabase, type ProxiedDatabase } from './database.ts';
import { launch, MAIN, runProgram, temporaryDirectory, type Environment } from './program.ts';

/** `octavo import` that is stopped at its latest moment: its transaction waits for a row that a test has locked. */

let database: ProxiedDatabase;
let env: Environment;
let docs: string;
let organization: string;
let space: string;

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, messages } = await runProgram(args, env);
  expect({ code, messages }).toEqual({ code: 0, messages: [] });
  return stdout.trim();
};

beforeAll(async () => {
  const folder = temporaryDirectory();
  docs = path.join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(path.join(docs, 'README.md'), '# Home\n');
  database = await createDatabase(SEEDED_TEMPLATE);
  env = {
    ...FIRST_START,
    DATABASE_URL: database.url,
    OCTAVO_DATA: path.join(folder, 'data'),
  };
  const [created] = await database.query<{ id: string }>('select id from organizations');
  organization = created?.id ?? '';
  space = await run('import', docs, '--org', organization);
});

const stateOf = () =>
  database.query(
    'select (select count(*) from spaces) as spaces, (select count(*) from revisions) as revisions',
  );

/** Ends when a transaction waits for the row that is locked. */
async function isWaiting(): Promise<void> {
  for (;;) {
    const rows = await database.query('select from pg_locks where not granted');
    if (rows.length > 0) return;
    await delay(20);
  }
}

describe('SIGINT', () => {
  test.each([
    ['an existing space', 'spaces', () => ['--space', space], () => space],
    ['a new space', 'organizations', () => ['--org', organization], () => organization],
  ] as const)('nothing is imported into %s', async (_name, table, target, id) => {
    writeFileSync(path.join(docs, 'README.md'), '# Changed\n');
    const before = await stateOf();
    await database.query('begin');
    onTestFinished(async () => void (await database.query('rollback')));
    await database.query(`select from ${table} where id = '${id()}' for update`);
    const importing = launch({ env, command: [process.execPath, MAIN, 'import', docs, ...target()] });
    await isWaiting();
    importing.child.kill('SIGINT');
    // Several statements follow the one that waits, so that the signal is handled before the commit.
    await database.query('rollback');
    expect(await importing.ended).toMatchObject({
      code: 1,
      stdout: '',
      messages: ['Stopped. Nothing was imported.'],
    });
    expect(await stateOf()).toEqual(before);
  });
});
