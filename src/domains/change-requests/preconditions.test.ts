import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

/** The ETags of a change request and of its content. */
const tagsOf = (path: string): Promise<string[]> =>
  Promise.all(
    [path, `${path}/content`].map(async (each) => (await contents.call('GET', each)).headers['etag'] ?? ''),
  );

/** A change request whose page was renamed by both sides. */
async function aConflict() {
  const space = await contents.aSpace();
  const [page] = idsOf(await contents.edit(space, insert('Page')));
  const titled = (title: string) => ({ operation: 'update_page', page, title });
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  const path = `${space}/change-requests/${body.id}`;
  await contents.call('POST', `${path}/content`, { changes: [titled('Proposed')] });
  await contents.edit(space, titled('Primary'));
  return { space, path };
}

describe('If-Match on a change request', () => {
  test('accepts the ETag of the request or of its content for edits', async () => {
    const { path } = await aConflict();
    const edit = (etag: string) =>
      contents.call('POST', `${path}/content`, { changes: [insert('Beside')] }, { 'if-match': etag });
    const old = await tagsOf(path);
    for (const etag of await tagsOf(path)) expect(etag).not.toBe('');
    expect((await edit(old[0] ?? '')).status).toBe(200);
    for (const etag of old) expectError(await edit(etag), 412);
    expect((await edit((await tagsOf(path))[1] ?? '')).status).toBe(200);
  });

  test('protects changes of the subject', async () => {
    const { path } = await aConflict();
    const [etag = ''] = await tagsOf(path);
    const name = (subject: string) => contents.call('PATCH', path, { subject }, { 'if-match': etag });
    expect((await name('First')).status).toBe(200);
    expectError(await name('Second'), 412);
    expect((await contents.get(path)).subject).toBe('First');
  });

  test('protects the resolution of a conflict', async () => {
    const { path } = await aConflict();
    await contents.call('POST', `${path}/update`);
    const [{ id }] = (await contents.get(`${path}/conflicts`)).items;
    const resolve = (etag: string) =>
      contents.call('POST', `${path}/conflicts/${id}`, { use: 'primary' }, { 'if-match': etag });
    const old = await tagsOf(path);
    await contents.call('POST', `${path}/content`, { changes: [insert('Beside')] });
    for (const etag of old) expectError(await resolve(etag), 412);
    expect((await contents.get(`${path}/conflicts`)).count).toBe(1);
    expect((await resolve((await tagsOf(path))[0] ?? '')).status).toBe(200);
  });
});

describe('a contributor', () => {
  test('is not recorded for an update from the space', async () => {
    const { path } = await aConflict();
    const { token } = side.people.edit;
    expect((await app.call('POST', `${path}/update`, { token })).body.result).toBe('conflicts');
    const contributors = (await contents.get(`${path}/contributors`)).items;
    expect(contributors).toMatchObject([{ user: { id: side.admin.id }, actionType: 'edit' }]);
    const [{ id }] = (await contents.get(`${path}/conflicts`)).items;
    await app.call('POST', `${path}/conflicts/${id}`, { token, body: { use: 'primary' } });
    expect((await contents.get(`${path}/contributors`)).count).toBe(2);
  });
});
