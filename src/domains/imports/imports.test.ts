import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { exportOf } from '../../../test/folder.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, type Side } from '../../../test/world.ts';
import { addImported } from './folder/add-imported.ts';
import { createCollector } from './folder/collector.ts';
import { openWork } from './import-content.ts';
import { REQUEST_CONVERSION } from './limits.ts';

let app: TestApp;
let side: Side;
let contents: Contents;
let requests = 0;
/** Called before a response is sent. */
let meanwhile: () => Promise<unknown> = async () => undefined;
const responses: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/install.md': (response) => response.end('# Install\n\nRun it. See [usage](usage.md).\n'),
  '/binary.md': (response) => response.end(Buffer.alloc(100)),
  '/large.md': (response) => response.end('x'.repeat(3 * 1024 * 1024)),
  '/loop.md': (response) => response.writeHead(302, { location: '/loop.md' }).end(),
  '/private.md': (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
};
const peer = createServer((request, response) => {
  requests++;
  const respond = responses[request.url ?? ''];
  void meanwhile().then(() => (respond ? respond(response) : response.writeHead(404).end()));
});
let url: (path: string) => string;

beforeAll(async () => {
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const { port } = peer.address() as AddressInfo;
  url = (path) => `http://127.0.0.1:${port}${path}`;
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${port}` } });
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});
afterAll(() => peer.close());

const install = () => ({ url: url('/install.md'), source: 'markdown' });

const importInto = (place: string, body: object = install(), headers: Record<string, string> = {}) =>
  contents.call('POST', `${place}/import`, body, headers);

async function aRequest(space: string) {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Import' });
  return { path: `${space}/change-requests/${body.id}`, number: body.number };
}

const revisionOf = async (place: string) => (await contents.get(`${place}/content`)).id;

describe('an import', () => {
  test('adds a page as one revision', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Start'));
    const answer = await importInto(`${space}/content`);
    expect(answer.status, answer.text).toBe(201);
    const { revision } = answer.body;
    expect(answer.body).toEqual({ revision, importedResources: 1, totalResources: 1, skipped: [] });
    expect(answer.headers['location']).toBe(`http://octavo.test${space}/revisions/${revision}`);
    expect(await revisionOf(space)).toBe(revision);
    const page = await contents.get(`${space}/content/path/install?format=markdown`);
    expect(page).toMatchObject({ title: 'Install' });
    expect(page.markdown).toContain(`[usage](${url('/usage.md')})`);
    const found = await contents.get(`${space}/search?query=run`);
    expect(found.items).toMatchObject([{ title: 'Install' }]);
  });

  test('goes below a page, and again with another slug', async () => {
    const space = await contents.aSpace();
    const [parent] = idsOf(await contents.edit(space, insert('Api', '', { slug: 'api' })));
    for (const path of ['api/install', 'api/install-1']) {
      const { status, text } = await importInto(`${space}/content/page/${parent}`);
      expect(status, text).toBe(201);
      expect(await contents.get(`${space}/content/path/${encodeURIComponent(path)}`)).toMatchObject({
        title: 'Install',
      });
    }
  });

  test('goes into a change request, by id and by number, and below its pages', async () => {
    const space = await contents.aSpace('locked');
    const { path, number } = await aRequest(space);
    const before = await revisionOf(space);
    expect((await importInto(`${path}/content`)).status).toBe(201);
    const byNumber = await importInto(`${space}/change-requests/${number}/content`);
    expect(byNumber.status, byNumber.text).toBe(201);
    const { pages } = await contents.get(`${path}/content/pages`);
    expect(pages.map((page: { slug: string }) => page.slug)).toEqual(['install', 'install-1']);
    const below = await importInto(`${path}/content/page/${pages[0].id}`);
    expect(below.status, below.text).toBe(201);
    expect(await contents.get(`${path}/content/path/install%2Finstall`)).toMatchObject({ title: 'Install' });
    expect(await revisionOf(path)).toBe(below.body.revision);
    expect(await revisionOf(space)).toBe(before);
  });

  test('is refused before any request where the target does not allow it', async () => {
    const locked = await contents.aSpace('locked');
    const space = await contents.aSpace();
    const edited = await contents.edit(space, insert('Page'), {
      operation: 'insert_page',
      type: 'link',
      title: 'Link',
      target: { kind: 'url', url: 'https://example.com' },
    });
    const { path } = await aRequest(space);
    await contents.call('PATCH', path, { status: 'archived' });
    const before = requests;
    expectError(await importInto(`${locked}/content`), 409, /locked/);
    expectError(await importInto(`${path}/content`), 409, /archived/);
    expectError(await importInto(`${space}/content/page/unknown`), 404, /Page "unknown"/);
    expectError(await importInto(`${space}/content/page/${idsOf(edited)[1]}`), 400, /cannot contain pages/);
    expectError(await importInto(`${space}/content`, { url: 'nothing', source: 'markdown' }), 400);
    expectError(await importInto(`${space}/content`, { ...install(), source: 'gopher' }), 400);
    const reader = await aMember(app, side.organizationId, 'read');
    const call = { token: reader.token, body: install() };
    expectError(await app.call('POST', `${space}/content/import`, call), 403);
    expect(requests).toBe(before);
  });

  test.each([
    ['/missing.md', 400, /returned 404/],
    ['/loop.md', 400, /redirects more than/],
    ['/private.md', 400, /10\.0\.0\.1 is not a public address/],
    ['/large.md', 413, /exceeds/],
    ['/binary.md', 422, /not text/],
  ])('of %s is refused with %i, and writes no revision', async (path, status, message) => {
    const space = await contents.aSpace();
    const before = await revisionOf(space);
    const answer = await importInto(`${space}/content`, { url: url(path), source: 'markdown' });
    expectError(answer, status, message);
    expect(answer.body.error.details).toMatchObject([{ path: 'body.url' }]);
    expect(await revisionOf(space)).toBe(before);
  });

  test('compares If-Match, and is written once for one Idempotency-Key', async () => {
    const space = await contents.aSpace();
    const { revision } = (await importInto(`${space}/content`)).body;
    const stale = await importInto(`${space}/content`, install(), { 'if-match': 'stale' });
    expect(stale.status).toBe(412);
    const current = await importInto(`${space}/content`, install(), { 'if-match': `"${revision}"` });
    expect(current.status, current.text).toBe(201);
    const key = { 'idempotency-key': 'import-once' };
    const [one, two] = await Promise.all([
      importInto(`${space}/content`, install(), key),
      importInto(`${space}/content`, install(), key),
    ]);
    const again = await importInto(`${space}/content`, install(), key);
    const revisions = [one, two, again].flatMap(({ body }) => body.revision ?? []);
    expect(new Set(revisions).size).toBe(1);
    expect(await contents.pages(space)).toHaveLength(3);
  });

  test('of the target page deleted meanwhile is 404; an edit meanwhile is no conflict', async () => {
    const space = await contents.aSpace();
    const [parent] = idsOf(await contents.edit(space, insert('Parent')));
    meanwhile = () => contents.edit(space, insert('Meanwhile'));
    const added = await importInto(`${space}/content/page/${parent}`);
    expect(added.status, added.text).toBe(201);
    meanwhile = () => contents.edit(space, { operation: 'delete_page', page: parent });
    expectError(await importInto(`${space}/content/page/${parent}`), 404, /Page/);
    meanwhile = () => contents.call('PATCH', space, { editMode: 'locked' });
    expectError(await importInto(`${space}/content`), 409, /locked/);
    meanwhile = async () => undefined;
  });

  test('two at a time: a third waits, and is refused after a few seconds', async () => {
    const space = await contents.aSpace();
    const { importQueue } = app.app.context.caches;
    const never = new AbortController().signal;
    const [leave, leaveAlso] = [await importQueue.acquire('x', never), await importQueue.acquire('y', never)];
    const waiting = importInto(`${space}/content`);
    leave();
    expect((await waiting).status).toBe(201);
    const leaveAgain = await importQueue.acquire('x', never);
    const refused = await importInto(`${space}/content`);
    expectError(refused, 503, /imports/);
    expect(refused.headers['retry-after']).toBe('5');
    leaveAgain();
    leaveAlso();
  });

  test('one at a time of an organization, so that a slow source delays no other one', async () => {
    const [space, also] = [await contents.aSpace(), await contents.aSpace()];
    const other = await aSide(app, 'beta');
    const others = contentsOf(app, other);
    const elsewhere = await others.aSpace();
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    meanwhile = () => slow;
    const before = requests;
    const [first, second] = [importInto(`${space}/content`), importInto(`${also}/content`)];
    await expect.poll(() => requests).toBe(before + 1);
    meanwhile = async () => undefined;
    expect((await others.call('POST', `${elsewhere}/content/import`, install())).status).toBe(201);
    expect(requests).toBe(before + 2);
    answer();
    expect((await first).status).toBe(201);
    // It waits for some seconds only.
    expect([201, 503]).toContain((await second).status);
  });
});

describe('a folder', () => {
  const FOLDER: Readonly<Record<string, string>> = {
    'README.md': '# Guide\n\n[Install](guide/install.md)\n',
    'guide/install.md': '# Install\n\n[Guide](../README.md)\n',
    '.gitbook/vars.yaml': 'name: Octavo\n',
    'SUMMARY.md': '# Contents\n\n* [Guide](README.md)\n  * [Install](guide/install.md)\n',
  };

  async function add(space: string, folder: Readonly<Record<string, string>>, pageId?: string) {
    const ctx = { ...app.app.context, db: app.app.installation.connection.db };
    const signal = new AbortController().signal;
    const deadline = { pagesUntil: Infinity, filesUntil: Infinity };
    const storeId = side.organizationId;
    const work = openWork(ctx, { storeId, owner: storeId }, REQUEST_CONVERSION, {
      deadline,
      signal,
      report: () => undefined,
    });
    const collector = createCollector(work);
    for (const [path, text] of Object.entries(folder)) collector.addSetting(path, Buffer.from(text));
    const spaceId = space.split('/').at(-1) ?? '';
    return addImported(ctx, { spaceId, pageId }, undefined, collector.finish());
  }

  test('in an empty space is exported with the same bytes', async () => {
    const space = await contents.aSpace('locked');
    await add(space, FOLDER);
    expect(await exportOf(app, space)).toEqual(FOLDER);
  });

  test('has links that are references', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Guide'));
    await add(space, FOLDER);
    const page = await contents.get(`${space}/content/path/readme?format=document`);
    expect(JSON.stringify(page.document)).toContain('"kind":"page"');
  });

  test('below a page has empty pages in place of groups', async () => {
    const space = await contents.aSpace();
    const [parent] = idsOf(await contents.edit(space, insert('Top', '', { slug: 'top' })));
    await add(space, { 'SUMMARY.md': '# Contents\n\n## Part\n\n* [A](a.md)\n', 'a.md': '# A\n' }, parent);
    expect(await contents.get(`${space}/content/path/top%2Fpart%2Fa`)).toMatchObject({ title: 'A' });
    expect(await contents.get(`${space}/content/path/top%2Fpart`)).toMatchObject({ type: 'document' });
  });

  test('without pages is refused', async () => {
    const space = await contents.aSpace();
    await expect(add(space, { 'vars.txt': 'x' })).rejects.toMatchObject({ status: 422 });
  });
});
