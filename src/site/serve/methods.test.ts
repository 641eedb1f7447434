import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** Methods that pages do not have, and requests that no page answers. */

let app: TestApp;
let side: Side;
let site: PublishedSite;

async function aFilledSite(visibility: string): Promise<PublishedSite> {
  const published = await aPublishedSite(app, side, { title: `Site ${visibility}`, visibility });
  const { space } = await published.addSpace('Manual');
  await published.contents.edit(space, insert('Start', 'Text.'), insert('Second', 'More.'));
  return published;
}

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  site = await aFilledSite('public');
});

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  app.call(method, `/${site.basename}${path}`, { headers });

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

describe.each(OTHER_METHODS)('%s', (method) => {
  test.each(['/', '/second', '/second.md', '/llms.txt', '/~octavo/search', '/SECOND'])(
    'at %s is refused with the methods of the page',
    async (path) => {
      const answer = await send(method, path);
      expectError(answer, 405);
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    },
  );

  test.each(['/third', '/second/deeper', '/~octavo/unknown'])('at %s is not found', async (path) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(404);
    expect(answer.headers['allow']).toBeUndefined();
  });

  test('at an address without a site is not found', async () => {
    expectError(await app.call(method, '/nothing-here/second'), 404);
  });

  test.each(['share-link', 'visitor-auth'])('at a %s site reveals no path', async (visibility) => {
    const hidden = await aFilledSite(visibility);
    const [page, nothing] = await Promise.all(
      ['/second', '/third'].map((path) => app.call(method, `/${hidden.basename}${path}`, { headers: HTML })),
    );
    expect(page?.status).toBe(403);
    expect(page?.headers['allow']).toBeUndefined();
    expect([nothing?.status, nothing?.text]).toEqual([page?.status, page?.text]);
  });

  test('at a site that is not published is not found', async () => {
    const unpublished = await aFilledSite('public');
    await unpublished.change('POST', `${unpublished.site}/unpublish`);
    expect((await app.call(method, `/${unpublished.basename}/second`)).status).toBe(404);
  });

  test('of the API keeps its answers', async () => {
    expectError(await app.call(method, '/v1/nothing'), 404, /There is no operation/);
    expect((await app.call(method, '/v1/ids')).headers['content-type']).toContain('json');
  });
});

test('OPTIONS names the methods of a page', async () => {
  const answer = await send('OPTIONS', '/second');
  expect([answer.status, answer.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect((await send('OPTIONS', '/third')).status).toBe(404);
  const preflight = await send('OPTIONS', '/second', {
    origin: 'https://a.example',
    'access-control-request-method': 'GET',
  });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([405, undefined]);
});

test('the endpoint of agents and that of feedback have POST', async () => {
  const agents = await send('DELETE', '/~octavo/mcp');
  expect([agents.status, agents.headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  const feedback = await send('PUT', '/~octavo/feedback');
  expect([feedback.status, feedback.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
});

test('a refused request counts no view', async () => {
  const views = async () => {
    return (await app.call('GET', `${site.site}/insights/pages`, { token: side.admin.token })).body.items;
  };
  const before = await views();
  await send('POST', '/second');
  expect(await views()).toEqual(before);
});

describe('a request that no page can answer', () => {
  test.each(['/%zz', '/second%', '/%E0%A4%A'])('%s is an HTML page for browsers', async (path) => {
    const answer = await site.read(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.text).toContain('The address is malformed');
    expect(answer.text).not.toContain('{"error"');
  });

  test('is the error of the API for programs, and in the API', async () => {
    expectError(await site.read('/%zz', { accept: '*/*' }), 400);
    expectError(await app.call('GET', '/v1/%zz', { headers: HTML }), 400);
    expectError(await app.call('GET', '/v1/nothing', { headers: HTML }), 404);
  });

  test('beyond the rate limit is an HTML page for browsers', async () => {
    const limited = await startApp({ beside: app, environment: { OCTAVO_RATE_LIMIT: '6000' } });
    const read = (accept: string) =>
      limited.call('GET', `/${site.basename}/~octavo/pdf/none/none.pdf`, { headers: { accept } });
    // Those that come before the process knows the site count for none.
    for (let count = 0; count <= 40; count += 1) await read('*/*');
    const answer = await read('text/html,*/*;q=0.8');
    expect([answer.status, answer.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectError(await read('application/json'), 429);
  });
});
