import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { insert } from '../../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../../test/published-site.ts';
import { aSide, type Side } from '../../../../test/world.ts';

let app: TestApp;
let side: Side;
let site: PublishedSite;
let address: string;
let base: string;

const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const post = (path: string, raw: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  app.call('POST', path, { raw, headers: { ...JSON_RPC, ...headers } });

/** The client of the protocol's own library, connected over HTTP. */
async function connect(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(path, address);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

async function callWith(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

beforeAll(async () => {
  app = await startApp();
  address = await app.app.server.listen({ port: 0, host: '127.0.0.1' });
  side = await aSide(app, 'alpha');
  site = await aPublishedSite(app, side, { title: 'Agents' });
  base = `http://octavo.test/${site.basename}`;
  const { space } = await site.addSpace('Manual');
  await site.contents.edit(
    space,
    insert('Welcome', 'Read [the setup](/pages/setup).'),
    insert('Setup', '## Install\n\nRun the turbine.\n', { slug: 'setup', description: 'How to begin' }),
    insert('Staff', 'The turbine code is 1234.', { slug: 'staff', condition: 'visitor.claims.staff' }),
    insert('Mixed', 'Open.\n\n{% if visitor.claims.staff %}\nThe flywheel is hidden.\n{% endif %}\n'),
  );
});

describe('an agent', () => {
  test('lists the tools, searches, and reads the pages that it finds', async () => {
    const client = await connect(`/${site.basename}/~octavo/mcp`);
    expect(client.getServerVersion()).toMatchObject({ name: 'Agents' });
    const answer = await post(`/${site.basename}/~octavo/mcp`, JSON.stringify(LIST));
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'get_page']);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const found = await callWith(client, 'search', { query: 'turbine' });
    expect(found.text).toContain(`- [Setup](${base}/setup): How to begin\n  - Install: Run the turbine.`);
    const page = await callWith(client, 'get_page', { url: `${base}/setup` });
    expect(page.text).toMatch(/^# Setup\n\nHow to begin\n/);
    expect((await callWith(client, 'get_page', { url: `${base}/` })).text).toContain(
      `[the setup](${base}/setup)`,
    );
    for (const url of ['/setup', 'setup', `/${site.basename}/setup`, 'setup.md', '/Setup/?x#install', '/'])
      expect((await callWith(client, 'get_page', { url })).isError, url).toBe(false);
    await client.close();
  });

  test('sees nothing that the page would not show', async () => {
    const client = await connect(`/${site.basename}/~octavo/mcp`);
    expect((await callWith(client, 'search', { query: 'turbine' })).text).not.toContain('1234');
    expect((await callWith(client, 'search', { query: 'flywheel' })).text).toMatch(/^No page/);
    expect((await callWith(client, 'get_page', { url: '/mixed' })).text).not.toContain('flywheel');
    const hidden = await callWith(client, 'get_page', { url: `${base}/staff` });
    const missing = await callWith(client, 'get_page', { url: `${base}/nothing` });
    expect(hidden.isError).toBe(true);
    expect(hidden).toEqual(missing);
    await client.close();
  });

  test('reads its own site only', async () => {
    const other = await aPublishedSite(app, await aSide(app, 'beta'), { title: 'Other' });
    const { space } = await other.addSpace('Own');
    await other.contents.edit(space, insert('Welcome', 'Hello.'), insert('Plans', 'The turbine of others.'));
    const client = await connect(`/${site.basename}/~octavo/mcp`);
    expect((await callWith(client, 'search', { query: 'turbine' })).text).not.toContain('others');
    for (const url of [
      `http://octavo.test/${other.basename}/plans`,
      `/../${other.basename}/plans`,
      'https://x.y/',
    ])
      expect((await callWith(client, 'get_page', { url })).isError, url).toBe(true);
    await client.close();
  });

  test('gets messages about wrong arguments and tools', async () => {
    const client = await connect(`/${site.basename}/~octavo/mcp`);
    const wrong = [{}, { query: 1 }, { query: '' }, { query: 'x'.repeat(513) }, { query: ['x'] }];
    for (const given of wrong) expect((await callWith(client, 'search', given)).isError).toBe(true);
    for (const url of [null, '', {}, '%ff', 'x'.repeat(3000), '/..', 'http://['])
      expect((await callWith(client, 'get_page', { url })).isError, String(url)).toBe(true);
    await expect(client.callTool({ name: 'delete_page', arguments: {} })).rejects.toThrow(/not found/);
    await client.close();
  });
});

describe('who may read', () => {
  test('a share link opens its site, until it is closed', async () => {
    const shared = await aPublishedSite(app, side, { title: 'Shared', visibility: 'share-link' });
    const { space } = await shared.addSpace('Plans');
    await shared.contents.edit(space, insert('Welcome', 'Hello partner.'));
    const link = await shared.change('POST', `${shared.site}/share-links`, { name: 'Partners' });
    const key = new URL(link.urls.published).pathname.split('/').findLast(Boolean) ?? '';
    const at = (given: string) => `/${shared.basename}${given}/~octavo/mcp`;
    const list = JSON.stringify(LIST);
    expect((await post(at(''), list)).status).toBe(403);
    expect((await post(at(`/${key}x`), list)).status).toBe(403);
    const client = await connect(at(`/${key}`));
    expect((await callWith(client, 'search', { query: 'partner' })).text).toContain('Welcome');
    await shared.change('PATCH', `${shared.site}/share-links/${link.id}`, { active: false });
    expect((await post(at(`/${key}`), list)).status).toBe(403);
    await client.close();
  });

  test('visitors sign in with a JWT, and read what their claims admit', async () => {
    const closed = await aPublishedSite(app, side, { title: 'Closed', visibility: 'visitor-auth' });
    const { space } = await closed.addSpace('Inside');
    await closed.contents.edit(
      space,
      insert('Welcome', 'Hello.'),
      insert('Staff', 'The turbine code is 1234.', { condition: 'visitor.claims.staff' }),
    );
    const auth = await closed.change('GET', `${closed.site}/publishing/auth`);
    const sign = (claims: object, expires: string) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(auth.privateKey));
    const at = `/${closed.basename}/~octavo/mcp`;
    const status = async (token: string) =>
      (await post(at, JSON.stringify(LIST), { authorization: `Bearer ${token}` })).status;
    expect((await post(at, JSON.stringify(LIST))).status).toBe(401);
    expect(await status(await sign({}, '-1m'))).toBe(401);
    expect(await status(side.admin.token)).toBe(401);
    const searchAs = async (claims: object) => {
      const client = await connect(at, { authorization: `Bearer ${await sign(claims, '1h')}` });
      const { text } = await callWith(client, 'search', { query: 'turbine' });
      await client.close();
      return text;
    };
    expect(await searchAs({ staff: true })).toContain('1234');
    expect(await searchAs({})).toMatch(/^No page/);
  });

  test('a site that is not published or does not exist is not found', async () => {
    const draft = await aPublishedSite(app, side, { title: 'Draft' });
    await draft.change('POST', `${draft.site}/unpublish`);
    const list = JSON.stringify(LIST);
    expect((await post(`/${draft.basename}/~octavo/mcp`, list)).status).toBe(404);
    expect((await post('/no-such-site/~octavo/mcp', list)).status).toBe(404);
    expect((await post('/~octavo/mcp', list, { host: 'unknown.example' })).status).toBe(404);
    expect((await post('/~octavo/mcp', list, { host: '..' })).status).toBe(404);
  });
});

describe('bad input', () => {
  test('is refused with a status of the client, and never more', async () => {
    const at = `/${site.basename}/~octavo/mcp`;
    const bodies = [
      '',
      'x',
      '{',
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      JSON.stringify([LIST, LIST]),
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1,"method":1}',
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"\\u0000"}}}',
      '{"__proto__":{"x":1},"jsonrpc":"2.0"}',
    ];
    for (const body of bodies) {
      const { status } = await post(at, body);
      expect(status, body.slice(0, 40)).toBe(400);
    }
    const odd = JSON.stringify({ ...LIST, method: 'no/such', params: { deep: 1 } });
    const unknown = await post(at, odd);
    expect([unknown.status, unknown.body.error.code]).toEqual([200, -32601]);
    const params = [
      null,
      1,
      'x',
      [],
      {},
      { name: 1 },
      { name: 'search', arguments: 'x' },
      { name: '__proto__' },
    ];
    for (const each of params) {
      const { status, body } = await post(
        at,
        JSON.stringify({ ...LIST, method: 'tools/call', params: each }),
      );
      expect(status, JSON.stringify(each)).toBeLessThan(500);
      expect(body.error ?? body.result?.isError, JSON.stringify(each)).toBeTruthy();
    }
  });

  test('large bodies, other types and other methods are refused', async () => {
    const at = `/${site.basename}/~octavo/mcp`;
    const large = JSON.stringify({ ...LIST, params: { padding: 'x'.repeat(2 * 1024 * 1024) } });
    expect((await post(at, large)).status).toBe(413);
    expect((await post(at, JSON.stringify(LIST), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(at, JSON.stringify(LIST), { accept: 'text/html' })).status).toBe(406);
    expect((await post(at, JSON.stringify(LIST), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    const get = await app.call('GET', at, { headers: { accept: 'text/event-stream' } });
    expect([get.status, get.headers['allow']]).toEqual([405, 'POST']);
    expect((await app.call('DELETE', at)).status).toBe(405);
  });
});
