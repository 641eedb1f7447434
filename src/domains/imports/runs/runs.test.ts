import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../log.ts';
import { loadConfig } from '../../../config.ts';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aMember, aSide, type Person, type Side } from '../../../../test/world.ts';
import { runImports } from './jobs.ts';
import { performRun } from './run.ts';
import { claimRun } from './store.ts';

let app: TestApp;
let side: Side;
let contents: Contents;
let runs: string;
let meanwhile: () => Promise<unknown>;
const peer = createServer((request, response) => {
  void meanwhile().then(() =>
    request.url === '/page.md' ? response.end('# Page\n\nText.\n') : response.writeHead(404).end(),
  );
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const { port } = peer.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/page.md`;
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${port}` } });
});
beforeEach(async () => {
  await app.sql('delete from import_runs');
  meanwhile = async () => undefined;
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
  runs = `/v1/org/${side.organizationId}/imports`;
});
afterAll(() => peer.close());

const log = createLog(loadConfig({ OCTAVO_LOG_LEVEL: 'silent' }));
const jobContext = () => ({ ...app.app.context, db: app.app.installation.connection.db, log });
const work = () => runImports.run(jobContext(), {});
const idOf = (space: string) => space.split('/').at(-1) ?? '';

const start = (
  space: string,
  target: object = {},
  source: object = { type: 'url', url, source: 'markdown' },
  token = side.admin.token,
) => app.call('POST', runs, { token, body: { source, target: { space: idOf(space), ...target } } });

async function started(...given: Parameters<typeof start>) {
  const answer = await start(...given);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const runOf = (id: string) => contents.get(`${runs}/${id}`);
const revisionOf = async (place: string) => (await contents.get(`${place}/content`)).id;

describe('a run', () => {
  test('is pending, then completed with its pages and one revision', async () => {
    const space = await contents.aSpace();
    const [parent] = idsOf(await contents.edit(space, insert('Parent', '', { slug: 'parent' })));
    const run = await started(space, { page: parent });
    expect(run).toMatchObject({
      object: 'import-run',
      status: 'pending',
      progress: { found: 0, imported: 0, skipped: 0 },
      target: { space: idOf(space), page: parent },
      createdBy: side.admin.id,
      urls: { location: `http://octavo.test${runs}/${run.id}` },
    });
    await work();
    const ended = await runOf(run.id);
    expect(ended).toMatchObject({
      status: 'completed',
      progress: { found: 1, imported: 1, skipped: 0 },
      pages: [{ sourceURL: url }],
      skipped: [],
      revision: await revisionOf(space),
    });
    const page = await contents.get(`${space}/content/path/parent%2Fpage`);
    expect(ended.pages[0].id).toBe(page.id);
    const { body } = await contents.call('GET', runs);
    expect(body.items[0]).not.toHaveProperty('pages');
  });

  test('goes into a change request of the space', async () => {
    const [space, other] = [await contents.aSpace('locked'), await contents.aSpace()];
    const { body: request } = await contents.call('POST', `${space}/change-requests`, { subject: 'x' });
    expectError(await start(other, { changeRequest: request.id }), 404, /Change request/);
    const run = await started(space, { changeRequest: request.id });
    await work();
    expect(await runOf(run.id)).toMatchObject({ status: 'completed' });
    const { pages } = await contents.get(`${space}/change-requests/${request.id}/content/pages`);
    expect(pages).toHaveLength(1);
  });

  test('imports uploaded files of its user', async () => {
    const space = await contents.aSpace();
    const bytes = Buffer.from('# Uploaded\n');
    const upload = async (token: string) => {
      const body = {
        file: { name: 'uploaded.md', type: 'text/markdown', size: bytes.length },
        kind: 'import_file',
      };
      return (await app.call('POST', `/v1/orgs/${side.organizationId}/storage/upload`, { token, body })).body;
    };
    const mine = await upload(side.admin.token);
    const theirs = await upload(side.people.edit.token);
    const files = (key: string) => ({ type: 'file', files: [key] });
    expectError(await start(space, {}, files(theirs.key)), 404, /Upload/);
    expectError(await start(space, {}, files(mine.key)), 409, /not uploaded yet/);
    const { pathname } = new URL(mine.url);
    await app.app.server.inject({ method: 'PUT', url: pathname, payload: bytes });
    await started(space, {}, files(mine.key));
    await work();
    expect(await contents.pages(space)).toMatchObject([{ title: 'Uploaded' }]);
  });

  test('fails with the message of the source, and writes nothing', async () => {
    const space = await contents.aSpace();
    const before = await revisionOf(space);
    const source = { type: 'url', url: url.replace('page', 'missing'), source: 'markdown' };
    const { id } = await started(space, {}, source);
    await work();
    expect(await runOf(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/404/) },
    });
    expect(await revisionOf(space)).toBe(before);
  });

  test('is refused at once where it could not succeed', async () => {
    const [space, locked] = [await contents.aSpace(), await contents.aSpace('locked')];
    expectError(await start(locked), 409, /locked/);
    expectError(await start(space, { page: 'unknown' }), 404, /Page/);
    for (const bad of ['http://user:secret@example.com/', 'ftp://example.com/'])
      expectError(await start(space, {}, { type: 'website', url: bad }), 400, /body\.source\.url/);
    expectError(await start(space, {}, undefined, side.people.read.token), 403);
    for (let count = 0; count < 10; count++) await started(space);
    const eleventh = await start(space);
    expectError(eleventh, 429, /10 unfinished imports/);
    expect(eleventh.headers['retry-after']).toBe('60');
  });
});

describe('a cancelled run', () => {
  test('that was pending never starts', async () => {
    const space = await contents.aSpace();
    const { id } = await started(space);
    const cancelled = await contents.call('POST', `${runs}/${id}/cancel`);
    expect(cancelled.status, cancelled.text).toBe(201);
    expect(cancelled.body.status).toBe('cancelled');
    await work();
    expect(await contents.pages(space)).toEqual([]);
    expectError(await contents.call('POST', `${runs}/${id}/cancel`), 409, /already cancelled/);
  });

  test('that is running writes no revision', async () => {
    const space = await contents.aSpace();
    const { id } = await started(space);
    meanwhile = () => contents.call('POST', `${runs}/${id}/cancel`);
    await work();
    expect(await runOf(id)).toMatchObject({ status: 'cancelled' });
    expect(await contents.pages(space)).toEqual([]);
  });

  test('is either cancelled or completed, never both', async () => {
    const space = await contents.aSpace();
    let completed = 0;
    for (let turn = 0; turn < 20; turn++) {
      const { id } = await started(space);
      const before = (await contents.pages(space)).length;
      const wait = turn * 2;
      const [, cancelled] = await Promise.all([
        work(),
        new Promise((resolve) => setTimeout(resolve, wait)).then(() =>
          contents.call('POST', `${runs}/${id}/cancel`),
        ),
      ]);
      const run = await runOf(id);
      const added = (await contents.pages(space)).length - before;
      expect([run.status, cancelled.status, added]).toEqual(
        run.status === 'completed' ? ['completed', 409, 1] : ['cancelled', 201, 0],
      );
      completed += added;
    }
    expect(await contents.pages(space)).toHaveLength(completed);
  });

  test('of another user needs the role review', async () => {
    const space = await contents.aSpace();
    const { id } = await started(space);
    const path = `${runs}/${id}/cancel`;
    const cancel = ({ token }: Person) => app.call('POST', path, { token });
    expectError(await cancel(side.people.edit), 403);
    expectError(await cancel(side.people.read), 404);
    expect((await cancel(side.people.review)).status).toBe(201);
    const own = await started(space, {}, undefined, side.people.edit.token);
    expect(
      (await app.call('POST', `${runs}/${own.id}/cancel`, { token: side.people.edit.token })).status,
    ).toBe(201);
  });
});

describe('an interrupted run', () => {
  test('that two jobs perform at once writes one revision', async () => {
    const space = await contents.aSpace();
    const { id } = await started(space);
    const { db } = jobContext();
    const first = await claimRun(db);
    await app.sql(`update import_runs set seen_at = now() - interval '3 minutes' where id = $1`, [id]);
    const second = await claimRun(db);
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    if (!first || !second) throw new Error('the run was not claimed twice');
    await Promise.all([performRun(jobContext(), first), performRun(jobContext(), second)]);
    expect(await runOf(id)).toMatchObject({ status: 'completed' });
    expect(await contents.pages(space)).toHaveLength(1);
  });

  test('is performed again when it has not reported for two minutes', async () => {
    const space = await contents.aSpace();
    const { id } = await started(space);
    await claimRun(jobContext().db);
    await work();
    expect(await runOf(id)).toMatchObject({ status: 'in-progress' });
    await app.sql(`update import_runs set seen_at = now() - interval '3 minutes' where id = $1`, [id]);
    await work();
    expect(await runOf(id)).toMatchObject({ status: 'completed' });
  });

  test('fails after five attempts', async () => {
    const { id } = await started(await contents.aSpace());
    await claimRun(jobContext().db);
    await app.sql(
      `update import_runs set attempt = 5, seen_at = now() - interval '3 minutes' where id = $1`,
      [id],
    );
    await work();
    expect(await runOf(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/interrupted/) },
    });
  });
});

describe('what changes during a run', () => {
  const changes: Readonly<Record<string, (space: string, user: Person) => Promise<unknown>>> = {
    'the role of its user': (_space, user) =>
      app.sql(`update members set role = 'read' where user_id = $1`, [user.id]),
    'the membership of its user': (_space, user) =>
      app.sql('update members set disabled = true where user_id = $1', [user.id]),
    'the space is deleted': (space) => contents.call('DELETE', space),
    'the space is locked': (space) => contents.call('PATCH', space, { editMode: 'locked' }),
  };

  test.each(Object.keys(changes))('%s: the run fails', async (name) => {
    const space = await contents.aSpace();
    const user = await aMember(app, side.organizationId, 'edit');
    const { id } = await started(space, {}, undefined, user.token);
    meanwhile = () => changes[name]?.(space, user) ?? Promise.reject(new Error(name));
    await work();
    const [row] = await app.sql('select status, revision_id, error from import_runs where id = $1', [id]);
    expect(row).toMatchObject({ status: 'failed', revision_id: null, error: expect.stringMatching(/\S/) });
  });

  test('the change request is merged: the run fails', async () => {
    const space = await contents.aSpace('locked');
    const { body: request } = await contents.call('POST', `${space}/change-requests`, { subject: 'x' });
    const path = `${space}/change-requests/${request.id}`;
    await contents.call('POST', `${path}/content`, { changes: [insert('Proposed')] });
    const { id } = await started(space, { changeRequest: request.id });
    meanwhile = () => contents.call('POST', `${path}/merge`);
    await work();
    expect(await runOf(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/merged/) },
    });
  });
});

describe('runs', () => {
  test('are listed in pages, the latest first, for those who may edit their spaces', async () => {
    const [one, two] = [await contents.aSpace(), await contents.aSpace()];
    const ids: string[] = [];
    for (const space of [one, two, one]) ids.unshift((await started(space)).id);
    const first = await contents.get(`${runs}?limit=2`);
    const rest = await contents.get(`${runs}?limit=2&page=${first.next.page}`);
    expect([...first.items, ...rest.items].map((run: { id: string }) => run.id)).toEqual(ids);
    expect((await contents.get(`${runs}?space=${idOf(two)}`)).count).toBe(1);
    expect((await contents.get(`${runs}?status=failed`)).count).toBe(0);
    const reader = await app.call('GET', runs, { token: side.people.read.token });
    expect(reader.body).toMatchObject({ count: 0, items: [] });
    const foreign = await aSide(app, 'beta');
    expectError(await app.call('GET', `${runs}/${ids[0]}`, { token: foreign.admin.token }), 404);
    const elsewhere = `/v1/org/${foreign.organizationId}/imports/${ids[0]}`;
    expectError(await app.call('GET', elsewhere, { token: side.admin.token }), 404);
  });

  test('are performed one at a time of an organization, and two of all', async () => {
    const { db } = jobContext();
    const space = await contents.aSpace();
    for (let count = 0; count < 3; count++) await started(space);
    expect(await claimRun(db)).toMatchObject({ space_id: idOf(space) });
    expect(await claimRun(db)).toBeUndefined();
    for (const name of ['beta', 'gamma']) {
      const other = await aSide(app, name);
      const target = { space: idOf(await contentsOf(app, other).aSpace()) };
      const body = { source: { type: 'url', url, source: 'markdown' }, target };
      const answer = await app.call('POST', `/v1/org/${other.organizationId}/imports`, {
        token: other.admin.token,
        body,
      });
      expect(answer.status, answer.text).toBe(201);
      expect((await claimRun(db))?.space_id).toBe(name === 'beta' ? target.space : undefined);
    }
  });
});
