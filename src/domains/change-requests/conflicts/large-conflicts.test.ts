import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { aSide } from '../../../../test/world.ts';
import type { Conflict } from '../../../content-engine/merge/index.ts';
import { insertConflicts, listConflicts, replaceConflicts } from './store.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

/** The path of a new change request. */
async function aRequest(space: string): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  return `${space}/change-requests/${body.id}`;
}

const aRequestId = async (): Promise<string> =>
  (await aRequest(await contents.aSpace())).split('/').at(-1) ?? '';

const VERSION = 400_000;

const conflictOf = (entry: string): Conflict => ({
  kind: 'block',
  entry,
  ancestor: 'a "word" '.repeat(VERSION / 9),
  primary: 'b'.repeat(VERSION),
  proposed: 'c'.repeat(VERSION),
  block: { primary: ['k1'], proposed: ['k2'] },
});

const entriesOf = (count: number) => Array.from({ length: count }, (_each, index) => `entry${index}`);

test('large conflicts are written and read in their order', async () => {
  const { db } = app.app.installation.connection;
  const many = await aRequestId();
  const all = entriesOf(24).map(conflictOf);
  await insertConflicts(db, many, all);
  const rows = await listConflicts(db, many);
  expect(rows.map(({ conflict }) => conflict.entry)).toEqual(entriesOf(24));
  expect(rows.at(-1)?.conflict).toEqual(all.at(-1));
  const replaced = rows.map(({ id, conflict }) => ({
    id,
    conflict: { ...conflict, ancestor: 'x' } as Conflict,
  }));
  await replaceConflicts(db, replaced);
  expect(await listConflicts(db, many)).toEqual(replaced);
});

test('small conflicts keep their order, also beside large ones', async () => {
  const { db } = app.app.installation.connection;
  const id = await aRequestId();
  // More than one statement has rows.
  const entries = entriesOf(4500);
  const conflicts = entries.map((entry, index): Conflict =>
    index % 1500 === 299 ? conflictOf(entry) : { kind: 'field', entry, field: 'title', primary: 'x' },
  );
  await insertConflicts(db, id, conflicts);
  expect((await listConflicts(db, id)).map(({ conflict }) => conflict)).toEqual(conflicts);
  const some = ['entry5', 'entry299', 'entry4400'];
  expect((await listConflicts(db, id, some)).map(({ conflict }) => conflict.entry)).toEqual(some);
});

test('an update and an edit write only the conflicts that they change', async () => {
  const space = await contents.aSpace();
  const [a = '', b = ''] = idsOf(await contents.edit(space, insert('A', 'Old'), insert('B', 'Old')));
  const write = (page: string, markdown: string) => ({
    operation: 'update_page',
    page,
    document: { markdown },
  });
  const path = await aRequest(space);
  const edit = (...changes: object[]) => contents.call('POST', `${path}/content`, { changes });
  await edit(write(a, 'Proposed'), write(b, 'Proposed'));
  await contents.edit(space, write(a, 'Current'), write(b, 'Current'));
  await contents.call('POST', `${path}/update`);
  const versions = () =>
    app.sql(
      'select entry, xmin::text from change_request_conflicts where change_request_id = $1 order by place',
      [path.split('/').at(-1)],
    );
  const before = await versions();
  expect(before.map(({ entry }) => entry).toSorted()).toEqual([a, b].toSorted());
  await contents.edit(space, insert('C'));
  expect((await contents.call('POST', `${path}/update`)).body.result).toBe('conflicts');
  expect(await versions()).toEqual(before);
  await edit(write(a, 'Resolved'));
  expect(await versions()).toEqual(before.filter(({ entry }) => entry === b));
});
