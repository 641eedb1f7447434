import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../../test/content.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aSide, aMember, type Side } from '../../../../test/world.ts';

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let app: TestApp;
let side: Side;
let contents: Contents;
let space: string;
const peer = createServer((request, response) => {
  if (request.url === '/picture.png') response.end(PNG);
  else response.writeHead(404).end('not here');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${portOf()}` } });
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
  space = await contents.aSpace();
});
afterAll(() => peer.close());

const portOf = () => (peer.address() as AddressInfo).port;
const insertFile = (file: object) => ({ operation: 'insert_files', files: [file] });
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

/** Requests a file as a browser does, without a token. */
const download = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.app.server.inject({ method, url: new URL(url).pathname, headers });

async function insertOne(file: object) {
  return (await contents.edit(space, insertFile(file))).insertedFiles[0];
}

describe('a file', () => {
  test('has type, size and dimensions detected from its bytes', async () => {
    const file = await insertOne({ name: 'dot.png', base64: base64(PNG), contentType: 'text/html' });
    expect(file).toMatchObject({
      name: 'dot.png',
      contentType: 'image/png',
      size: PNG.length,
      dimensions: { width: 1, height: 1 },
    });
    expect(await contents.get(`${space}/content/files/${file.id}`)).toEqual(file);
    const listed = await contents.get(`${space}/content/files`);
    expect(listed.items).toContainEqual(file);
    const mislabelled = await insertOne({
      name: 'not.png',
      base64: base64('<!doctype html><script>1</script>'),
    });
    expect(mislabelled.contentType).toBe('text/html');
  });

  test('is downloaded without a token: complete, by range, and conditionally', async () => {
    const file = await insertOne({ name: 'größe.txt', base64: base64('0123456789') });
    const whole = await download(file.downloadURL);
    expect([whole.statusCode, whole.body]).toEqual([200, '0123456789']);
    expect(whole.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(whole.headers['content-disposition']).toContain("filename*=UTF-8''gr%C3%B6%C3%9Fe.txt");
    const part = await download(file.downloadURL, { range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await download(file.downloadURL, { range: 'bytes=10-' });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(beyond.body).toBe('The requested range lies outside of the file, which has 10 bytes.\n');
    const etag = String(whole.headers['etag']);
    expect((await download(file.downloadURL, { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await download(file.downloadURL.replace(/\/[^/]{32}\//, `/${'x'.repeat(32)}/`))).statusCode).toBe(
      404,
    );
  });

  test('is never compressed, so that Content-Length and ETag match its bytes', async () => {
    for (const text of ['01234567890', 'many words '.repeat(500)]) {
      const file = await insertOne({ name: 'long.txt', base64: base64(text) });
      const { headers, body } = await download(file.downloadURL, { 'accept-encoding': 'gzip, br' });
      expect([headers['content-encoding'], headers['content-length']]).toEqual([
        undefined,
        String(text.length),
      ]);
      expect(body).toBe(text);
    }
  });

  test('is served only under its name', async () => {
    const file = await insertOne({ name: 'good name.txt', base64: base64('x') });
    expect((await download(file.downloadURL)).statusCode).toBe(200);
    expect((await download(file.downloadURL.replace(/[^/]+$/, 'evil.html'))).statusCode).toBe(404);
  });

  test('with active content is served as a sandboxed attachment', async () => {
    const bad = [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      '<html><script>1</script></html>',
    ];
    for (const [index, text] of bad.entries()) {
      const file = await insertOne({ name: `bad${index}.svg`, base64: base64(text) });
      const { headers } = await download(file.downloadURL);
      expect(headers['content-disposition']).toMatch(/^attachment/);
      expect(headers['content-security-policy']).toContain('sandbox');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('returns 404 while its space is deleted', async () => {
    const own = await contents.aSpace();
    const { insertedFiles } = await contents.edit(own, insertFile({ name: 'a.txt', base64: base64('text') }));
    const url = insertedFiles[0].downloadURL;
    await contents.call('DELETE', own);
    expect((await download(url)).statusCode).toBe(404);
    // If-None-Match does not turn a 404 into a 304.
    expect((await download(url, { 'if-none-match': '*' })).statusCode).toBe(404);
    await contents.call('POST', `${own}/restore`);
    expect((await download(url)).statusCode).toBe(200);
  });

  test('is fetched from a URL, but never from a private network', async () => {
    const file = await insertOne({ name: 'p.png', url: `http://127.0.0.1:${portOf()}/picture.png` });
    expect(file.contentType).toBe('image/png');
    const refused = [
      `http://127.0.0.1:${portOf()}/missing.png`,
      'http://127.0.0.1:1/x',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'file:///etc/passwd',
    ];
    for (const url of refused) {
      const answer = await contents.send(space, [insert('Not there'), insertFile({ name: 'x', url })]);
      expectError(answer, 400);
      expect(answer.body.error.message).toContain('body.changes.1.files.0');
    }
    expect((await contents.pages(space)).map(({ title }) => title)).not.toContain('Not there');
  });

  test('needs a valid name and exactly one source', async () => {
    const given = base64('x');
    for (const file of [
      { name: '../../etc/passwd', base64: given },
      { name: 'a/b', base64: given },
      { name: '', base64: given },
      { name: 'x'.repeat(257), base64: given },
      { name: 'x' },
      { name: 'x', base64: given, url: 'https://example.org/' },
      { name: 'x', base64: '***' },
    ]) {
      expectError(await contents.send(space, [insertFile(file)]), 400);
    }
  });

  test('can be referenced by its ref within the batch', async () => {
    const edited = await contents.edit(
      space,
      insert('With picture', '![A dot](./dot)\n'),
      insertFile({ name: 'dot.png', base64: base64(PNG), ref: 'dot' }),
    );
    const [page, file] = [edited.changes[0].page.id, edited.insertedFiles[0].id];
    const { document } = await contents.page(space, page, '?format=document');
    expect(JSON.stringify(document)).toContain(`{"kind":"file","file":"${file}"}`);
  });

  test('is deleted by a batch and remains in older revisions', async () => {
    const file = await insertOne({ name: 'old.txt', base64: base64('old') });
    const before = (await contents.get(space)).revision;
    await contents.edit(space, { operation: 'delete_file', file: file.id });
    expectError(await contents.call('GET', `${space}/content/files/${file.id}`), 404);
    expect(await contents.get(`${space}/revisions/${before}/files/${file.id}`)).toEqual(file);
  });
});

describe('a list of files', () => {
  test('continues with the revision of its first page', async () => {
    const own = await contents.aSpace();
    const files = ['a', 'b', 'c'].map((name) => ({ name, base64: base64(name) }));
    await contents.edit(own, { operation: 'insert_files', files });
    const first = await contents.get(`${own}/content/files?limit=2`);
    expect([first.count, first.items.length]).toEqual([3, 2]);
    for (const { id } of (await contents.get(`${own}/content/files`)).items) {
      await contents.edit(own, { operation: 'delete_file', file: id });
    }
    const second = await contents.get(`${own}/content/files?limit=2&page=${first.next.page}`);
    expect([second.items.length, second.next]).toEqual([1, undefined]);
  });
});

describe('an upload', () => {
  const announce = (size: number, name = 'up.txt') =>
    contents.call('POST', `/v1/orgs/${side.organizationId}/storage/upload`, {
      file: { name, type: 'text/plain', size },
      kind: 'organization_file',
    });
  const put = (url: string, payload: string | Buffer) =>
    app.app.server.inject({
      method: 'PUT',
      url: new URL(url).pathname,
      payload,
      headers: { 'content-type': 'text/plain' },
    });

  test('is sent once, with the announced size, and used only by the user who requested it', async () => {
    const { status, body } = await announce(5);
    expect([status, body.object]).toEqual([201, 'storage-signed-url']);
    expect((await put(body.url, 'too long')).statusCode).toBe(400);
    expect((await put(body.url, 'hello')).statusCode).toBe(204);
    expect((await put(body.url, 'again')).statusCode).toBe(404);
    const file = await insertOne({ name: 'up.txt', upload: body.key });
    expect((await download(file.downloadURL)).body).toBe('hello');
    const other = await aMember(app, side.organizationId, 'admin');
    const changes = [insertFile({ name: 'up.txt', upload: body.key })];
    expectError(await app.call('POST', `${space}/content`, { token: other.token, body: { changes } }), 404);
  });

  test('expires after an hour', async () => {
    const { body } = await announce(5);
    await app.sql(`update uploads set created_at = now() - interval '61 minutes' where key = '${body.key}'`);
    expect((await put(body.url, 'hello')).statusCode).toBe(404);
  });

  test.each([
    ['a large file', Buffer.concat([PNG, Buffer.alloc(3e6, 'octavo')])],
    ['an empty file', Buffer.alloc(0)],
  ])('of %s has its bytes, type and dimensions', async (_what, bytes) => {
    const { body } = await announce(bytes.length, 'up.png');
    expect((await put(body.url, bytes)).statusCode).toBe(204);
    const file = await insertOne({ name: 'up.png', upload: body.key });
    const isImage = bytes.length > 0;
    expect(file.size).toBe(bytes.length);
    expect(file.contentType === 'image/png').toBe(isImage);
    expect(file.dimensions).toEqual(isImage ? { width: 1, height: 1 } : undefined);
    expect((await download(file.downloadURL)).rawPayload.equals(bytes)).toBe(true);
  });

  test('above 100 MB is rejected when it is announced', async () => {
    expectError(await announce(100 * 1024 * 1024 + 1), 413);
  });
});
