import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, insert } from '../../../../test/content.ts';
import { deliverDue, install, type Installed } from '../../../../test/installations.ts';
import { expectError } from '../../../../test/refusal.ts';
import { aWorld, type World } from '../../../../test/world.ts';
import { purgeIntegrationEvents } from './jobs.ts';
import { jobContext } from '../../../../test/import-runs.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

let app: TestApp;
let world: World;
let tunnelUrl: string;
let received: Received[] = [];
let status = 200;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    received.push({ headers: request.headers, text });
    response.writeHead(status).end('{}');
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  tunnelUrl = `http://${host}/tunnel`;
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: host } });
  world = await aWorld(app);
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  received = [];
  status = 200;
});

const as = (side: 'a' | 'b', method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: world[side].admin.token, body });
const eventsOf = async ({ name }: Installed) =>
  (await as('b', 'GET', `/v1/integrations/${name}/events`)).body.items;
const traceOf = async ({ name }: Installed, eventId: string) =>
  (await as('b', 'GET', `/v1/integrations/${name}/events/${eventId}`)).body.trace.logs;
const develop = ({ name }: Installed, body: object) => as('b', 'PUT', `/v1/integrations/${name}/dev`, body);

const SCOPES = ['space:content:read', 'space:metadata:read', 'page:feedback:read'];
const installed = (more: object = {}) => install(app, world.b, world.a, { scopes: SCOPES, ...more });
async function aSpaceOf({ path }: Installed): Promise<string> {
  const body = { title: 'Covered', editMode: 'live' };
  const { id } = (await as('a', 'POST', `/v1/orgs/${world.a.organizationId}/spaces`, body)).body;
  await as('a', 'POST', `${path}/spaces`, { space: id });
  return id;
}

describe('an event of an integration', () => {
  test('is recorded as undelivered, with the reason, without a tunnel', async () => {
    const to = await installed({ configurations: { account: { properties: { key: { type: 'string' } } } } });
    await as('a', 'PATCH', to.path, { configuration: { key: 'a' } });
    await as('a', 'DELETE', to.path);
    const events = await eventsOf(to);
    const common = { installationId: to.id };
    expect(events.map(({ payload }: { payload: object }) => payload)).toMatchObject([
      { ...common, type: 'installation_deleted', previous: { configuration: { key: 'a' } } },
      {
        ...common,
        type: 'installation_setup',
        status: 'active',
        previous: { status: 'active', configuration: {} },
      },
      { ...common, type: 'installation_setup', status: 'active' },
    ]);
    for (const event of events) {
      expect(event).toMatchObject({ status: 'failed', payload: { eventId: event.id } });
      expect(await traceOf(to, event.id)).toMatchObject([
        { level: 'error', message: expect.stringContaining('does not run scripts') },
      ]);
    }
  });

  test('is delivered to the tunnel, signed', async () => {
    const to = await installed();
    expect((await develop(to, { tunnelUrl, all: true })).status).toBe(204);
    const { signingSecret } = (await as('b', 'GET', `/v1/integrations/${to.name}/dev`)).body;
    const space = await aSpaceOf(to);
    await contentsOf(app, world.a).edit(`/v1/spaces/${space}`, insert('Page', 'Text.'));
    await deliverDue(app);
    expect(received.map(({ text }) => JSON.parse(text))).toMatchObject([
      { type: 'space_installation_setup', spaceId: space, installationId: to.id, status: 'active' },
      { type: 'space_content_updated', spaceId: space, revisionId: expect.any(String) },
    ]);
    for (const { text, headers } of received)
      expect(headers['x-gitbook-integration-signature']).toBe(
        createHmac('sha256', signingSecret).update(text).digest('hex'),
      );
    const [latest] = await eventsOf(to);
    expect(latest.status).toBe('success');
    expect(await traceOf(to, latest.id)).toMatchObject([{ level: 'info' }]);
  });

  test('of other organizations is delivered to the tunnel only if it is for all', async () => {
    const to = await installed();
    await develop(to, { tunnelUrl });
    await aSpaceOf(to);
    await deliverDue(app);
    expect(received).toEqual([]);
    const own = await install(app, world.b, world.b, { scopes: SCOPES });
    await develop(own, { tunnelUrl });
    await as('b', 'PATCH', own.path, { status: 'paused' });
    await deliverDue(app);
    expect(received.map(({ text }) => JSON.parse(text))).toMatchObject([
      { type: 'installation_setup', status: 'paused', previous: { status: 'active' } },
    ]);
    expect((await as('b', 'DELETE', `/v1/integrations/${own.name}/dev`)).status).toBe(205);
    await as('b', 'PATCH', own.path, { status: 'active' });
    await deliverDue(app);
    expect(received).toHaveLength(1);
  });

  test('is sent again a few times if the tunnel fails', async () => {
    const to = await installed();
    await develop(to, { tunnelUrl, all: true });
    status = 500;
    await aSpaceOf(to);
    for (let attempt = 0; attempt < 5; attempt++) {
      await deliverDue(app);
      await app.sql(`update graphile_worker._private_jobs set run_at = now()`);
    }
    expect(received).toHaveLength(4);
    const [event] = await eventsOf(to);
    expect(event.status).toBe('failed');
    expect((await traceOf(to, event.id)).map((log: { message: string }) => log.message)).toEqual(
      [1, 2, 3, 4].map((attempt) => `Attempt ${attempt} of 4: the tunnel answered 500.`),
    );
  });

  test('reaches only installations that cover the space, have the scope, and are not paused', async () => {
    const [covering, unscoped, paused] = [
      await installed(),
      await installed({ scopes: [] }),
      await installed(),
    ];
    const space = await aSpaceOf(covering);
    for (const { path } of [unscoped, paused]) await as('a', 'POST', `${path}/spaces`, { space });
    await as('a', 'PATCH', paused.path, { status: 'paused' });
    const elsewhere = await installed();
    await contentsOf(app, world.a).edit(`/v1/spaces/${space}`, insert('Page', 'Text.'));
    await app.tellReaders();
    const updates = async (to: Installed) =>
      (await eventsOf(to)).filter(
        ({ payload }: { payload: { type: string } }) => payload.type === 'space_content_updated',
      ).length;
    expect(await Promise.all([covering, unscoped, paused, elsewhere].map(updates))).toEqual([1, 0, 0, 0]);
  });

  test('is seen by admins of the publisher only, and never sent to a private address', async () => {
    const to = await installed();
    const path = `/v1/integrations/${to.name}/events`;
    expectError(await as('a', 'GET', path), 403);
    const [event] = await eventsOf(to);
    expectError(await as('a', 'GET', `${path}/${event.id}`), 404);
    const other = await installed();
    expectError(await as('b', 'GET', `/v1/integrations/${other.name}/events/${event.id}`), 404);
    expectError(await develop(to, { tunnelUrl: 'ftp://a.example/' }), 400);
    expectError(await develop(to, { tunnelUrl: `https://a.example/${'a'.repeat(256)}` }), 400);
    await develop(to, { tunnelUrl: 'http://127.0.0.2:1/', all: true });
    await aSpaceOf(to);
    await deliverDue(app);
    const [refused] = await eventsOf(to);
    expect(await traceOf(to, refused.id)).toMatchObject([{ level: 'error' }]);
  });

  test('is kept for 30 days', async () => {
    const to = await installed();
    const [event] = await eventsOf(to);
    const age = (days: number) =>
      app.sql(`update integration_events set created_at = now() - $2 * interval '1 day' where id = $1`, [
        event.id,
        days,
      ]);
    await age(29);
    await purgeIntegrationEvents.run(jobContext(app), {});
    expect(await eventsOf(to)).toHaveLength(1);
    await age(31);
    await purgeIntegrationEvents.run(jobContext(app), {});
    expect(await eventsOf(to)).toEqual([]);
  });
});
