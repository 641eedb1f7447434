import { once, setMaxListeners } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSpec, readAllSpecs, SPECIFICATION } from '../../../test/specs.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** A timeout for hangs only. */
const HANG_TIMEOUT = 120_000;

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

afterEach(() => void vi.useRealTimers());

const download = (url: string) => app.app.server.inject({ method: 'GET', url: new URL(url).pathname });

describe('a PDF', { timeout: HANG_TIMEOUT }, () => {
  test('of a space or a page is compiled once and downloaded without a token', async () => {
    const space = await contents.aSpace();
    const [above = ''] = idsOf(
      await contents.edit(
        space,
        insert('Above', '## Heading\n\nText with `code`, *words* and #strange \\ $characters.\n', {
          ref: 'above',
        }),
        insert('Below', '{% hint style="info" %}\nA hint\n{% endhint %}\n', { into: 'above' }),
      ),
    );
    const { url } = await contents.get(`${space}/pdf`);
    const whole = await download(url);
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(whole.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const [before] = await app.sql('select count(*)::int as n from pdfs');
    await contents.get(`${space}/pdf`);
    expect((await app.sql('select count(*)::int as n from pdfs'))[0]).toEqual(before);
    await contents.call('PATCH', space, { title: 'Called otherwise' });
    expect((await download((await contents.get(`${space}/pdf`)).url)).rawPayload).not.toEqual(
      whole.rawPayload,
    );

    const only = await contents.get(`${space}/pdf?page=${above}&only=true`);
    expect((await download(only.url)).rawPayload.length).toBeLessThan(whole.rawPayload.length);
    expectError(await contents.call('GET', `${space}/pdf?page=nobody`), 404);
  });

  test('shows operations, and is made again for a new version', async () => {
    const slug = await aSpec(app, side, { text: JSON.stringify(SPECIFICATION) });
    await readAllSpecs(app);
    const space = await contents.aSpace();
    const files = [
      { name: 'api.json', base64: Buffer.from(JSON.stringify(SPECIFICATION)).toString('base64') },
    ];
    await contents.edit(space, { operation: 'insert_files', files });
    const { items } = await contents.get(`${space}/content/files`);
    const ofSpec = `{% openapi-operation spec="${slug}" path="/pets/{id}" method="get" %}\n{% endopenapi-operation %}`;
    const ofFile = `{% openapi src="/files/${items[0].id}" path="/pets/{id}" method="get" %}\n{% endopenapi %}`;
    const own =
      '{% swagger method="post" path="/own" summary="Own" %}\n{% swagger-response status="200" description="Fine" %}\n{% endswagger-response %}\n{% endswagger %}';
    const pages = [insert('A', ofSpec), insert('B', ofFile), insert('C', own), insert('D', 'Text')];
    const [withSpec, withFile, withOwn, empty] = idsOf(await contents.edit(space, ...pages));
    const pdfOf = async (page: string | undefined) =>
      (await download((await contents.get(`${space}/pdf?page=${page}&only=true`)).url)).rawPayload;
    const ofSpecBefore = await pdfOf(withSpec);
    const ofFileBefore = await pdfOf(withFile);
    const { length } = await pdfOf(empty);
    for (const pdf of [ofSpecBefore, ofFileBefore, await pdfOf(withOwn)])
      expect(pdf.length).toBeGreaterThan(length);

    const operation = { ...SPECIFICATION.paths['/pets/{id}'].get, summary: 'Read one pet' };
    const changed = { ...SPECIFICATION, paths: { '/pets/{id}': { get: operation } } };
    const count = async () => (await app.sql('select count(*)::int as n, max(made_at) as last from pdfs'))[0];
    const before = await count();
    await contents.call('PUT', `/v1/orgs/${side.organizationId}/openapi/${slug}`, {
      source: { text: JSON.stringify(changed) },
    });
    await readAllSpecs(app);
    expect(await pdfOf(withFile)).toEqual(ofFileBefore);
    expect(await count()).toEqual(before);
    expect(await pdfOf(withSpec)).not.toEqual(ofSpecBefore);
    const after = await count();
    await pdfOf(withSpec);
    expect(await count()).toEqual(after);
  });

  test('of a change request shows its content', async () => {
    const space = await contents.aSpace();
    const { body } = await contents.call('POST', `${space}/change-requests`, {});
    const proposal = `${space}/change-requests/${body.id}`;
    await contents.call('POST', `${proposal}/content`, { changes: [insert('Proposed', 'Text')] });
    const { url } = await contents.get(`${proposal}/pdf`);
    expect((await download(url)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('has a link that expires after an hour and cannot be prolonged', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Page', 'Text'));
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const { url } = await contents.get(`${space}/pdf`);
    const [, expires = ''] = /\/(\d{10})\//.exec(url) ?? [];
    expect(Number(expires) * 1000 - now).toBeGreaterThanOrEqual(3_600_000);
    expect(Number(expires) * 1000 - now).toBeLessThanOrEqual(3_600_000 + 600_000);

    vi.setSystemTime(Number(expires) * 1000 - 1);
    expect((await download(url)).statusCode).toBe(200);
    vi.setSystemTime(Number(expires) * 1000);
    const gone = await download(url);
    expect([gone.statusCode, gone.rawPayload.toString()]).toEqual([
      404,
      expect.stringContaining('has expired'),
    ]);
    const later = url.replace(`/${expires}/`, `/${Number(expires) + 3600}/`);
    expect((await download(later)).statusCode).toBe(404);
    vi.setSystemTime(now);
    for (const other of [
      later,
      url.replace(/\/\d{10}\//, '/9999999999/'),
      url.replace(/\/[^/]+\/document/, '/x/document'),
    ])
      expect((await download(other)).statusCode).toBe(404);
  });

  test('contains downscaled images, and the alternative text of invalid ones', async () => {
    const space = await contents.aSpace();
    const [red, blue] = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 2880, height: 1800, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const bytes = [red, blue, Buffer.from('no image')];
    const files = bytes.map((each, n) => ({
      name: `${n}.png`,
      base64: each?.toString('base64'),
      ref: `f${n}`,
    }));
    await contents.edit(space, { operation: 'insert_files', files });
    const listed = await contents.get(`${space}/content/files`);
    const ids = listed.items.map(({ id }: { id: string }) => id);
    const body = ids.map((id: string, n: number) => `![Image ${n}](/files/${id})`).join('\n\n');
    await contents.edit(space, insert('Images', body));
    const { url } = await contents.get(`${space}/pdf`);
    const text = (await download(url)).rawPayload.toString('latin1');
    const widths = [...text.matchAll(/\/Subtype \/Image\s[^]*?\/Width (\d+)/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toEqual([1260, 1260]);
  });

  test('in a right-to-left language has that direction', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('מדריך', 'שלום עולם'));
    await contents.call('PATCH', space, { language: 'he' });
    const { url } = await contents.get(`${space}/pdf`);
    const text = (await download(url)).rawPayload.toString('latin1');
    expect(text).toContain('/Lang (he)');
    expect(text).toContain('/Direction /R2L');
  });

  test.each([
    ['Persian', 'راهنما', 'سلام دنیا، این یک `npm run build` است.', true],
    ['English with some Arabic', 'Guide', 'One word شكرا inside of a sentence.', false],
  ])('of a space without a language, written in %s, has the direction of its text', async (_in, ...given) => {
    const [title, body, isRightToLeft] = given;
    const space = await contents.aSpace();
    await contents.edit(space, insert(title, body));
    const { url } = await contents.get(`${space}/pdf`);
    const text = (await download(url)).rawPayload.toString('latin1');
    expect(text.includes('/Direction /R2L')).toBe(isRightToLeft);
  });

  test('beyond the time limit returns 413', async () => {
    const strict = await startApp({ beside: app, environment: { OCTAVO_PDF_SECONDS: '1' } });
    const space = await contents.aSpace();
    await contents.edit(space, insert('Long', LONG));
    const answer = await strict.call('GET', `${space}/pdf`, { token: side.admin.token });
    expectError(answer, 413);
    expect(answer.body.error.message).toContain('page');
  });

  test('of more text than is held in memory returns 413', async () => {
    const space = await contents.aSpace();
    for (let n = 0; n < 9; n++) await contents.edit(space, insert(`Page ${n}`, 'x'.repeat(1.9e6)));
    expectError(
      await contents.call('GET', `${space}/pdf`),
      413,
      /^The content is too large for one PDF\. Request a part of it/,
    );
  });

  test('is aborted when the last client disconnects', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Long', LONG));
    const { requests, clients } = await twoRequests(space);
    for (const client of clients) client.abort();
    for (const request of requests) await expect(request).rejects.toThrow('aborted');
    await vi.waitUntil(() => threads.size === 0, { timeout: HANG_TIMEOUT });
    expect(await countPdfs(space)).toBe(0);
  });

  test('is completed for the client that stays when another one disconnects', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('Shorter', LONG.slice(0, LONG.length / 10)));
    const { requests, clients, signals } = await twoRequests(space);
    clients[0]?.abort();
    await expect(requests[0]).rejects.toThrow('aborted');
    await vi.waitUntil(() => signals.some(({ aborted }) => aborted), { timeout: HANG_TIMEOUT });
    expect(await requests[1]).toBe(200);
    expect(await countPdfs(space)).toBe(1);
  });

  test('is not compiled to the end when its client disconnects meanwhile', async () => {
    const [space, next] = [await contents.aSpace(), await contents.aSpace()];
    await contents.edit(space, insert('Long', LONG));
    await contents.edit(next, insert('Short', 'Text'));
    const hangUp = new AbortController();
    const typesetting = once(process, 'worker');
    const asked = ask(await listeningPort(), `${space}/pdf`, hangUp.signal);
    const [typesetter] = (await typesetting) as [Worker];
    await once(typesetter, 'exit');
    hangUp.abort();
    await expect(asked).rejects.toThrow('aborted');
    // One document is compiled at a time: this one after the other has ended.
    await contents.get(`${next}/pdf`);
    expect(await countPdfs(space)).toBe(0);
  });

  test('waits for its turn with the others of its organization', async () => {
    const spaces = [await contents.aSpace(), await contents.aSpace()];
    const paths: string[] = [];
    for (const space of spaces) {
      const pages = Array.from({ length: QUEUE_LIMIT / 2 + 1 }, (_, n) => insert(`Page ${n}`, 'Text'));
      for (const id of idsOf(await contents.edit(space, ...pages)))
        paths.push(`${space}/pdf?page=${id}&only=true`);
    }
    const last = paths.pop() ?? '';
    const long = await contents.aSpace();
    await contents.edit(long, insert('Long', LONG));
    const otherContents = contentsOf(app, await aSide(app, 'beta'));
    const otherSpace = await otherContents.aSpace();
    await otherContents.edit(otherSpace, insert('Page', 'Text'));

    const port = await listeningPort();
    const hangUp = new AbortController();
    setMaxListeners(0, hangUp.signal);
    const typesetting = once(process, 'worker');
    const running = ask(port, `${long}/pdf`, hangUp.signal);
    await typesetting;
    const waiting = paths.map((path) => ask(port, path, hangUp.signal));
    const ended = Promise.allSettled([running, ...waiting]);
    expect(await Promise.race(waiting)).toBe(503);
    // The queue of the organization is full, that of another one is not.
    const other = otherContents.call('GET', `${otherSpace}/pdf`);
    expect(await ask(port, last, hangUp.signal)).toBe(503);
    hangUp.abort();
    expect((await other).status).toBe(200);
    await ended;
  });
});

/** Takes the compiler many seconds. */
const LONG = Array.from({ length: 5000 }, (_, n) => `Paragraph ${n} with **bold** words and \`code\`.`).join(
  '\n\n',
);

/** Two requests for one PDF that wait for the same work, which has begun. `signals` are those of the server. */
async function twoRequests(space: string) {
  const joined = vi.spyOn(app.app.context.caches, 'runningPdfs');
  const port = await listeningPort();
  const clients = [new AbortController(), new AbortController()];
  const typesetting = once(process, 'worker');
  const requests = clients.map(({ signal }) => ask(port, `${space}/pdf`, signal));
  await typesetting;
  await vi.waitUntil(() => joined.mock.calls.length === 2, { timeout: HANG_TIMEOUT });
  const signals = joined.mock.calls.map(([, signal]) => signal);
  joined.mockRestore();
  return { requests, clients, signals };
}

/** Documents of one organization that may wait for the compiler. */
const QUEUE_LIMIT = 20;

async function countPdfs(space: string): Promise<unknown> {
  const id = space.split('/').at(-1);
  const [counted] = await app.sql('select count(*)::int as n from pdfs where space_id = $1', [id]);
  return counted?.['n'];
}

/** The live threads of this process. */
const threads = new Set<Worker>();
const countThread = (thread: Worker): void => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
};
beforeAll(() => void process.on('worker', countThread));
afterAll(() => void process.off('worker', countThread));

let port: Promise<number> | undefined;
const listeningPort = (): Promise<number> =>
  (port ??= app.app.server
    .listen({ port: 0, host: '127.0.0.1' })
    .then(() => (app.app.server.server.address() as AddressInfo).port));

/** The status of a request over a real connection, which can be closed; `inject` has none. */
const ask = (port: number, path: string, signal: AbortSignal): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${side.admin.token}` };
    const sent: ClientRequest = request({ host: '127.0.0.1', port, path, headers, signal, agent: false });
    sent.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode)));
    sent.once('error', reject);
    sent.end();
  });
