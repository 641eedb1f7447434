import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { insert } from '../../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../../test/published-site.ts';
import { aSide } from '../../../../test/world.ts';

/** The MCP endpoint of a site, as a client of the protocol sees it. */

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'For agents' });
  const { space } = await site.addSpace('Manual');
  await site.contents.edit(
    space,
    insert('Welcome', 'Read [more](/pages/setup).'),
    insert('Setup', '## Install\n\nRun the installer.', { slug: 'setup' }),
    insert('Hidden', 'Run the secret installer.', { condition: 'false' }),
  );
});

async function ask(method: string, params: object, to = site.basename) {
  const answer = await app.app.server.inject({
    method: 'POST',
    url: `/${to}/~octavo/mcp`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = answer.body;
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  return { status: answer.statusCode, message: JSON.parse(json) };
}

const call = async (name: string, input: object) => {
  const { message } = await ask('tools/call', { name, arguments: input });
  return {
    text: String(message.result?.content?.[0]?.text ?? ''),
    isError: message.result?.isError === true,
  };
};

test('it limits the messages of an address to a host, apart from readers', async () => {
  const limited = await startApp({ environment: { OCTAVO_RATE_LIMIT: '6000' } });
  const own = await aPublishedSite(limited, await aSide(limited, 'beta'), { title: 'Limited' });
  const send = (method: 'GET' | 'POST', path: string) =>
    limited.app.server.inject({ method, url: `/${own.basename}${path}`, headers: { accept: 'text/html' } });
  const { headers } = await send('POST', '/~octavo/mcp');
  expect(headers['x-ratelimit-limit']).toBe('600');
  // A window ends at the full minute, so that two may be needed.
  let refused: Awaited<ReturnType<typeof send>> | undefined;
  for (let sent = 0; sent < 1300 && !refused; sent++) {
    // Behind a key that does not exist, as agents of share links send: the same limit.
    const answer = await send('POST', sent % 2 === 0 ? '/~octavo/mcp' : '/key/~octavo/mcp');
    if (answer.statusCode === 429) refused = answer;
  }
  expect(refused?.headers['retry-after']).toMatch(/^\d+$/);
  const page = await send('GET', '/');
  expect([page.statusCode, page.headers['x-ratelimit-limit']]).toEqual([404, '3000']);
}, 120_000);

test('it introduces itself and lists two read-only tools', async () => {
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const { status, message } = await ask('initialize', client);
  expect([status, message.result.serverInfo.name]).toEqual([200, 'For agents']);
  const { tools } = (await ask('tools/list', {})).message.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['search', 'get_page']);
  expect(
    tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint),
  ).toBe(true);
});

test('it finds and returns pages that the visitor may read', async () => {
  const found = await call('search', { query: 'installer' });
  expect(found.text).toContain(`[Setup](http://octavo.test/${site.basename}/setup)`);
  expect(found.text).not.toContain('secret');
  for (const url of [
    `http://octavo.test/${site.basename}/setup`,
    '/setup',
    'SETUP/',
    `/${site.basename}/setup#install`,
  ]) {
    const page = await call('get_page', { url });
    expect([url, page.text]).toEqual([url, expect.stringContaining('# Setup\n\n## Install')]);
  }
  for (const url of ['/hidden', '/nothing', 'https://other.example/setup', 'javascript:alert(1)', ''])
    if (url !== '') expect([url, (await call('get_page', { url })).isError]).toEqual([url, true]);
});

test('it answers clients of the revision without sessions, and keeps no subscription open', async () => {
  const version = '2026-07-28';
  const modern = (method: string, params: object) =>
    app.app.server.inject({
      method: 'POST',
      url: `/${site.basename}/~octavo/mcp`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
      },
      payload: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
  const listed = await modern('tools/list', {});
  expect([listed.statusCode, listed.body]).toEqual([200, expect.stringContaining('get_page')]);
  const listening = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(listening.body).toContain('error');
});

test('it refuses what is no request, and sites that the caller may not read', async () => {
  const post = async (payload: string) =>
    (
      await app.app.server.inject({
        method: 'POST',
        url: `/${site.basename}/~octavo/mcp`,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        payload,
      })
    ).statusCode;
  for (const payload of ['', '{', '[]', '"x"', '{"jsonrpc":"2.0","id":1,"method":"nothing"}']) {
    const status = await post(payload);
    expect([payload, status < 500]).toEqual([payload, true]);
  }
  expect((await site.read('/~octavo/mcp')).text).toContain('MCP client');
  expect((await site.read('/~octavo/mcp', { accept: 'text/event-stream' })).status).toBe(405);
  expect((await ask('tools/list', {}, 'no-such-site')).status).toBe(404);
  await site.change('PATCH', site.site, { visibility: 'share-link' });
  const closed = await app.app.server.inject({
    method: 'POST',
    url: `/${site.basename}/~octavo/mcp`,
    payload: '{}',
  });
  expect(closed.statusCode).toBe(403);
});
