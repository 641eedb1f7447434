import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../../test/content.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Person, type Side } from '../../../../test/world.ts';
import { collectStore } from '../garbage-collection/collect.ts';
import { copyTransferredContent } from '../garbage-collection/copy-transferred-content.ts';
import { foldStorageTallies } from '../garbage-collection/store.ts';

const KB = 1024;
const FULL = /storage of this organization is full: .* of 1024 kB are used/;

let app: TestApp;
let side: Side;
let contents: Contents;
let space: string;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_ORG_STORAGE: '1MB' } });
});
beforeEach(async () => {
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
  space = await contents.aSpace();
});

const insertBytes = (bytes: Buffer) => ({
  operation: 'insert_files',
  files: [{ name: 'a.bin', base64: bytes.toString('base64') }],
});
const sendBytes = (bytes: Buffer) => contents.send(space, [insertBytes(bytes)]);
const announce = (size: number, token = side.admin.token, organizationId = side.organizationId) =>
  app.call('POST', `/v1/orgs/${organizationId}/storage/upload`, {
    token,
    body: { file: { name: 'a.bin', type: 'application/octet-stream', size }, kind: 'organization_file' },
  });
const put = (url: string, payload: Buffer) =>
  app.app.server.inject({ method: 'PUT', url: new URL(url).pathname, payload });

const description = (size: number) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x'.repeat(size), marks: [] }] }],
    },
  ],
});

/** The counted bytes and the actual ones. */
async function storageOf(storeId: string): Promise<{ counted: number; stored: number }> {
  const [row] = await app.sql(
    `select (select coalesce(sum(bytes), 0) from storage_tallies where store_id = $1)::int as counted,
       ((select coalesce(sum(size), 0) from stored_files where store_id = $1) +
        (select coalesce(sum(octet_length(bytes)), 0) from content_objects where store_id = $1) +
        (select coalesce(sum(octet_length(markdown)), 0) from comments k join spaces s on s.id = k.space_id
         where s.store_id = $1) +
        (select coalesce(sum(octet_length(description::text)), 0) from change_requests c
         join spaces s on s.id = c.space_id where s.store_id = $1))::int as stored`,
    [storeId],
  );
  return row as { counted: number; stored: number };
}

async function storedFiles(): Promise<string[]> {
  const names: string[] = [];
  for await (const { hash } of app.app.installation.files.list()) names.push(hash);
  return names.toSorted();
}

const age = async () => {
  await app.sql(`update content_objects set written_at = now() - interval '2 days'`);
  await app.sql(`update stored_files set written_at = now() - interval '2 days'`);
};
const collect = () => {
  const { connection, files } = app.app.installation;
  return collectStore(
    { db: connection.db, files },
    side.organizationId,
    new Date(Date.now() - 24 * 60 * 60 * 1000),
  );
};

describe('the storage of an organization', () => {
  test('is limited: a write beyond the quota returns 413 and stores nothing', async () => {
    expect((await sendBytes(randomBytes(700 * KB))).status).toBe(200);
    const before = [await storageOf(side.organizationId), await storedFiles()];
    expectError(await sendBytes(randomBytes(400 * KB)), 413, FULL);
    expectError(await announce(400 * KB), 413, /this needs 400 kB.*OCTAVO_ORG_STORAGE/);
    expect([await storageOf(side.organizationId), await storedFiles()]).toEqual(before);
    expect((await announce(200 * KB)).status).toBe(201);
  });

  test('counts identical bytes once, exactly', async () => {
    const bytes = randomBytes(600 * KB);
    for (let times = 0; times < 3; times++) expect((await sendBytes(bytes)).status).toBe(200);
    const { counted, stored } = await storageOf(side.organizationId);
    expect(counted).toBe(stored);
    expect(counted).toBeLessThan(700 * KB);
    await foldStorageTallies(app.app.installation.connection.db);
    expect((await storageOf(side.organizationId)).counted).toBe(counted);
  });

  test('is not exceeded by concurrent uploads', async () => {
    const uploads = await Promise.all(Array.from({ length: 6 }, () => announce(300 * KB)));
    expect(uploads.map(({ status }) => status)).toEqual(uploads.map(() => 201));
    const sent = await Promise.all(uploads.map(({ body }) => put(body.url, randomBytes(300 * KB))));
    expect(sent.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 204, 204, 413, 413, 413]);
    const { counted, stored } = await storageOf(side.organizationId);
    expect([counted, stored]).toEqual([900 * KB, 900 * KB]);
  });

  test('may exceed the quota by a tenth for text', async () => {
    expect((await sendBytes(randomBytes(1000 * KB))).status).toBe(200);
    const page = (size: number) => insert('Page', randomBytes(size).toString('hex'));
    expect((await contents.send(space, [page(50 * KB)])).status).toBe(200);
    expectError(await sendBytes(randomBytes(10)), 413, FULL);
    const before = (await contents.get(space)).revision;
    expectError(await contents.send(space, [page(200 * KB)]), 413, FULL);
    expect((await contents.get(space)).revision).toBe(before);
  });

  test('includes comments, replies and descriptions, which are limited and freed like other text', async () => {
    expect((await sendBytes(randomBytes(1000 * KB))).status).toBe(200);
    const { call } = contents;
    const written = (size: number) => ({ body: { markdown: 'x'.repeat(size) } });
    const comments = `${space}/comments`;
    const { body: comment } = await call('POST', comments, written(30 * KB));
    const replies = `${comments}/${comment.id}/replies`;
    expect((await call('POST', replies, written(30 * KB))).status).toBe(200);
    const request = `${space}/change-requests/${(await call('POST', `${space}/change-requests`, {})).body.id}`;
    const describe = (size: number) => call('PATCH', request, { description: description(size) });
    expect((await describe(30 * KB)).status).toBe(200);
    const isExact = async () => {
      const { counted, stored } = await storageOf(side.organizationId);
      expect(counted).toBe(stored);
      return counted;
    };
    const full = await isExact();
    expect(full).toBeGreaterThan(1090 * KB);
    expectError(await call('POST', comments, written(40 * KB)), 413, FULL);
    expectError(await call('POST', replies, written(40 * KB)), 413, FULL);
    expectError(await call('PUT', `${comments}/${comment.id}`, written(80 * KB)), 413, FULL);
    expectError(await describe(80 * KB), 413, FULL);
    expect(await isExact()).toBe(full);
    expect((await call('PUT', `${comments}/${comment.id}`, written(10 * KB))).status).toBe(200);
    expect(await isExact()).toBe(full - 20 * KB);
    expect((await call('DELETE', `${comments}/${comment.id}`)).status).toBeLessThan(300);
    expect(await isExact()).toBe(full - 60 * KB);
    await app.sql(`delete from spaces where id = $1`, [space.split('/').at(-1)]);
    expect(await isExact()).toBeLessThan(full - 90 * KB);
  });

  test('counts concurrent writes in few rows', async () => {
    const posts = Array.from({ length: 250 }, (_, index) =>
      contents.call('POST', `${space}/comments`, { body: { markdown: `Comment ${index}` } }),
    );
    expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([200]));
    for (let index = 0; index < 250; index++) {
      await app.sql(`select count_text_bytes($1, 1)`, [side.organizationId]);
    }
    const { counted, stored } = await storageOf(side.organizationId);
    expect(counted).toBe(stored + 250);
    const rows = await app.sql('select from storage_tallies where store_id = $1', [side.organizationId]);
    expect(rows.length).toBeLessThan(200);
  });

  test('is freed by garbage collection and by the removal of unused uploads', async () => {
    expect((await sendBytes(randomBytes(500 * KB))).status).toBe(200);
    const unused = await announce(400 * KB);
    expect((await put(unused.body.url, randomBytes(400 * KB))).statusCode).toBe(204);
    expectError(await announce(600 * KB), 413);
    await app.sql(`delete from spaces where id = $1`, [space.split('/').at(-1)]);
    await age();
    await collect();
    expect((await storageOf(side.organizationId)).counted).toBe(400 * KB);
    await app.sql(`delete from uploads where key = $1`, [unused.body.key]);
    await collect();
    expect(await storageOf(side.organizationId)).toEqual({ counted: 0, stored: 0 });
    expect((await announce(600 * KB)).status).toBe(201);
  });

  test('moves with a transferred space, even into a full organization', async () => {
    expect((await sendBytes(randomBytes(700 * KB))).status).toBe(200);
    await contents.call('POST', `${space}/comments`, { body: { markdown: 'x'.repeat(50 * KB) } });
    const goal = (await contents.call('POST', '/v1/orgs', { title: 'Goal' })).body.id;
    const full = await announce(800 * KB, side.admin.token, goal);
    expect((await put(full.body.url, randomBytes(800 * KB))).statusCode).toBe(204);
    expect((await contents.call('POST', `${space}/transfer`, { organization: goal })).status).toBe(200);
    await copyTransferredContent(app.app.installation.connection.db, space.split('/').at(-1) ?? '');
    const there = await storageOf(goal);
    expect(there.counted).toBe(there.stored);
    expect(there.counted).toBeGreaterThan(1550 * KB);
    await age();
    await collect();
    expect((await storageOf(side.organizationId)).counted).toBe(0);
    expectError(await announce(1, side.admin.token, goal), 413);
  });
});

describe('an upload', () => {
  test('requires the role edit on at least one space of the organization', async () => {
    const spaceId = space.split('/').at(-1) ?? '';
    const statusFor = async (person: Person) => (await announce(1, person.token)).status;
    const [reader, guest, editor] = [
      await aMember(app, side.organizationId, 'comment'),
      await aMember(app, side.organizationId, null),
      await aMember(app, side.organizationId, 'edit'),
    ];
    expect([await statusFor(reader), await statusFor(guest), await statusFor(editor)]).toEqual([
      403, 403, 201,
    ]);
    await grantOn(app, reader, 'edit', [spaceId]);
    await grantOn(app, guest, 'edit', [spaceId]);
    expect([await statusFor(reader), await statusFor(guest)]).toEqual([201, 201]);
    await contents.call('DELETE', space);
    expect(await statusFor(guest)).toBe(403);
  });
});

describe('a full disk', () => {
  test('returns 507 for files before the reserve is used', async () => {
    const beside = await startApp({
      beside: app,
      environment: { OCTAVO_ORG_STORAGE: '1MB', OCTAVO_DISK_RESERVE: '8000TB' },
    });
    const { token } = side.admin;
    const changes = [insertBytes(randomBytes(10))];
    expectError(
      await beside.call('POST', `${space}/content`, { token, body: { changes } }),
      507,
      /disk of the server is full/,
    );
    const text = await beside.call('POST', `${space}/content`, {
      token,
      body: { changes: [insert('Page')] },
    });
    expect(text.status).toBe(200);
  });

  test('reported by PostgreSQL returns 507, and nothing is stored', async () => {
    await app.sql(`create function fill_disk() returns trigger language plpgsql as $$ begin
      raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
    end $$`);
    await app.sql('create trigger fill_disk before insert on revisions execute function fill_disk()');
    onTestFinished(async () => void (await app.sql('drop function fill_disk cascade')));
    expectError(await contents.send(space, [insert('Page')]), 507, /Nothing was stored/);
    expect(await contents.pages(space)).toEqual([]);
  });
});
