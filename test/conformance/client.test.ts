import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GitBookAPI, GitBookAPIError } from '@gitbook/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callWithClient, type ClientCall } from './client.ts';
import { CONTRACT } from './contract.ts';

let server: Server;
let api: GitBookAPI;

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let received: Echo;

/** Echoes every request, except under /missing. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received = { method, url, headers: headers as Record<string, string>, body };
      const isMissing = url.includes('missing');
      response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(isMissing ? { error: { code: 404, message: 'Space not found.' } } : received),
      );
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  api = new GitBookAPI({ endpoint: `http://127.0.0.1:${port}`, authToken: 'secret' });
});

afterAll(() => new Promise((done) => void server.close(done)));

async function send(operationId: string, call: ClientCall): Promise<Echo & { readonly data: unknown }> {
  const { data } = await callWithClient(api, operationId, call);
  return { ...received, data };
}

describe('callWithClient', () => {
  test('sends GET with a query', async () => {
    const call = { params: { organizationId: 'o1' }, query: { limit: 10, title: 'a b' } };
    const echo = await send('listTeamsInOrganizationById', call);
    expect(echo).toMatchObject({ method: 'GET', url: '/v1/orgs/o1/teams?limit=10&title=a%20b', body: '' });
    expect(echo.headers['authorization']).toBe('Bearer secret');
    expect(echo.data).toMatchObject({ url: echo.url });
  });

  test('sends GET with an array in the query as repeated keys', async () => {
    const echo = await send('listCommentsInSpace', {
      params: { spaceId: 's1' },
      query: { authors: ['a', 'b'] },
    });
    expect(echo.url).toBe('/v1/spaces/s1/comments?authors=a&authors=b');
  });

  test('sends POST with a body', async () => {
    const body = { label: 'Login', defaultRole: null };
    const echo = await send('createOrganizationSAMLProvider', { params: { organizationId: 'o1' }, body });
    expect(echo).toMatchObject({ method: 'POST', url: '/v1/orgs/o1/saml', body: JSON.stringify(body) });
    expect(echo.headers['content-type']).toBe('application/json');
  });

  test('sends POST with a body and a query', async () => {
    const params = { spaceId: 's1', changeRequestId: '7', commentId: 'c1' };
    const call = { params, body: { body: { markdown: 'Yes' } }, query: { format: 'markdown' } };
    const echo = await send('postCommentReplyInChangeRequest', call);
    expect(echo.url).toBe('/v1/spaces/s1/change-requests/7/comments/c1/replies?format=markdown');
    expect(JSON.parse(echo.body)).toEqual(call.body);
  });

  test('sends a JSON content type for POST when an optional body is omitted', async () => {
    const echo = await send('createCollection', { params: { organizationId: 'o1' } });
    expect(echo).toMatchObject({ method: 'POST', url: '/v1/orgs/o1/collections', body: '' });
    expect(echo.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '0' });
  });

  test('sends POST without a body', async () => {
    const echo = await send('duplicateSpace', {
      params: { spaceId: 's1' },
      headers: { 'idempotency-key': 'k' },
    });
    expect(echo).toMatchObject({ method: 'POST', url: '/v1/spaces/s1/duplicate', body: '' });
    expect(echo.headers['idempotency-key']).toBe('k');
  });

  test('sends PATCH with several params and a body', async () => {
    const params = { organizationId: 'o1', siteId: 'x', siteSectionId: 'y' };
    const echo = await send('updateSiteSectionById', { params, body: { icon: null } });
    expect(echo).toMatchObject({
      method: 'PATCH',
      url: '/v1/orgs/o1/sites/x/sections/y',
      body: '{"icon":null}',
    });
  });

  test('returns no body for DELETE', async () => {
    const echo = await send('removeTeamFromOrganizationById', {
      params: { organizationId: 'o1', teamId: 't1' },
    });
    expect(echo).toMatchObject({ method: 'DELETE', url: '/v1/orgs/o1/teams/t1', data: null });
  });

  test('sends an operation outside the contract', async () => {
    const echo = await send('getUserById', { params: { userId: 'u1' } });
    expect(echo).toMatchObject({ method: 'GET', url: '/v1/users/u1' });
  });

  test('throws the error of the client for a failure', async () => {
    const call = callWithClient(api, 'getSpaceById', { params: { spaceId: 'missing' } });
    await expect(call).rejects.toBeInstanceOf(GitBookAPIError);
    await expect(call).rejects.toMatchObject({ code: 404, errorMessage: 'Space not found.' });
  });

  test('throws for a call that the client cannot make', () => {
    const params = { spaceId: 's1' };
    expect(() => callWithClient(api, 'getSpaceById', {})).toThrow('no value for {spaceId}');
    expect(() => callWithClient(api, 'restoreSpace', { params, body: {} })).toThrow('takes no body');
    expect(() => callWithClient(api, 'restoreSpace', { params, query: {} })).toThrow('takes no query');
    expect(() => callWithClient(api, 'doNothing')).toThrow('no operation');
  });

  test.each(CONTRACT)('$operationId sends $method $path', async ({ operationId, method, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, `an-${name}`]));
    const echo = await send(operationId, { params });
    expect(`${echo.method} ${echo.url}`).toBe(`${method} ${path.replaceAll(/\{(\w+)\}/g, 'an-$1')}`);
  });
});
