import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { aSide, type Side } from '../../../../test/world.ts';
import { collectStore } from './collect.ts';
import { copyTransferredContent } from './copy-transferred-content.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const file = (text: string) => ({
  operation: 'insert_files',
  files: [{ name: 'a.txt', base64: Buffer.from(text).toString('base64') }],
});

const download = async (url: string) =>
  (await app.app.server.inject({ method: 'GET', url: new URL(url).pathname })).statusCode;

/** Sets the age of all stored content to two days. */
const age = async () => {
  await app.sql(`update content_objects set written_at = now() - interval '2 days'`);
  await app.sql(`update stored_files set written_at = now() - interval '2 days'`);
};

function collect(before = new Date(Date.now() - 86_400_000)) {
  const { connection, files } = app.app.installation;
  return collectStore({ db: connection.db, files }, side.organizationId, before);
}

async function count(): Promise<number> {
  const [row] = await app.sql('select count(*)::int as n from content_objects where store_id = $1', [
    side.organizationId,
  ]);
  return Number(row?.['n']);
}

describe('garbage collection', () => {
  test('removes only content that no revision references', async () => {
    const [kept, gone] = [await contents.aSpace(), await contents.aSpace()];
    const [id = ''] = idsOf(await contents.edit(kept, insert('Kept', 'Old text')));
    const old = (await contents.get(kept)).revision;
    await contents.edit(kept, { operation: 'update_page', page: id, document: { markdown: 'New text' } });
    const before = await count();
    const long = `[a](https://example.org/${'x'.repeat(5000)})`;
    const [url] = (await contents.edit(gone, insert('Gone', long), file('gone'))).insertedFiles.map(
      ({ downloadURL }: { downloadURL: string }) => downloadURL,
    );
    const shared = (await contents.edit(kept, file('kept'))).insertedFiles[0].downloadURL;
    expect(await collect()).toEqual({ objects: 0, files: 0 });
    await age();
    expect(await collect()).toEqual({ objects: 0, files: 0 });

    await app.sql('delete from spaces where id = $1', [gone.split('/').at(-1)]);
    const collected = await collect();
    expect(collected.files).toBe(1);
    expect(collected.objects).toBeGreaterThan(0);
    expect(await count()).toBeGreaterThanOrEqual(before);
    expect(await download(url ?? '')).toBe(404);
    expect(await download(shared)).toBe(200);
    const read = await contents.get(`${kept}/revisions/${old}/page/${id}`);
    expect(read.markdown).toBe('Old text');
  });

  test('keeps content that was written again', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Page', 'Written twice')));
    await app.sql('delete from spaces where id = $1', [space.split('/').at(-1)]);
    await age();
    const newSpace = await contents.aSpace();
    const [other = ''] = idsOf(await contents.edit(newSpace, insert('Page', 'Written twice')));
    await collect();
    expect((await contents.page(newSpace, other)).markdown).toBe('Written twice');
    expect(id).not.toBe(other);
  });
});

describe('a transferred space', () => {
  test('takes its content to its new organization', async () => {
    const space = await contents.aSpace();
    const edited = await contents.edit(space, insert('Page', 'Carried along'), file('carried'));
    const [id, url] = [edited.changes[0].page.id, edited.insertedFiles[0].downloadURL];
    const otherOrganization = (await contents.call('POST', '/v1/orgs', { title: 'Goal' })).body.id;
    const moved = await contents.call('POST', `${space}/transfer`, { organization: otherOrganization });
    expect(moved.status, moved.text).toBe(200);
    await copyTransferredContent(app.app.installation.connection.db, space.split('/').at(-1) ?? '');
    const [row] = await app.sql('select store_id from spaces where id = $1', [space.split('/').at(-1)]);
    expect(row).toEqual({ store_id: otherOrganization });
    await age();
    await collect();
    expect((await contents.page(space, id)).markdown).toBe('Carried along');
    await contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'And on' } });
    expect((await contents.page(space, id)).markdown).toBe('And on');
    expect(await download(url)).toBe(200);
    // A process with empty caches reads everything from the new store.
    const beside = await startApp({ beside: app });
    const read = await beside.call('GET', `${space}/content/page/${id}`, { token: side.admin.token });
    expect(read.body.markdown).toBe('And on');
  });
});
