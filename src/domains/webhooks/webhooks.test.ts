import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { aReceiver, verify, type Receiver } from '../../../test/webhook-receiver.ts';
import { deliverAll, performWebhooks, webhooksOf, type Webhooks } from '../../../test/webhooks.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';
import { insertToken } from '../users/index.ts';

let app: TestApp;
let side: Side;
let receiver: Receiver;
let hooks: Webhooks;

beforeAll(async () => {
  receiver = await aReceiver();
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: receiver.host } });
  side = await aSide(app, 'alpha');
  hooks = webhooksOf(app, side);
});

afterAll(() => receiver.close());

const idIn = (path: string) => path.split('/').at(-1) ?? '';

describe('a webhook', () => {
  test('shows its secret when it is created, and stores it sealed', async () => {
    const { path, secret } = await hooks.subscribe(receiver.url, { description: 'To the chat' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await hooks.done('GET', path);
    expect(shown).toMatchObject({
      object: 'webhook',
      url: receiver.url,
      description: 'To the chat',
      target: { type: 'organization' },
      eventTypes: null,
      enabled: true,
      responsible: { id: side.admin.id },
      urls: { location: `http://octavo.test${path}` },
    });
    expect(shown.secret).toBeUndefined();
    const [row] = await app.sql('select secret_sealed from webhooks where id = $1', [idIn(path)]);
    expect(String(row?.['secret_sealed'])).not.toContain(secret.slice(6, 20));
    await hooks.done('DELETE', path);
    expect((await hooks.call('GET', path)).status).toBe(404);
  });

  test.each([
    ['a private address', 'http://10.0.0.1/hook', 'not a public address'],
    ['loopback by another port', 'http://127.0.0.1:9/hook', 'not a public address'],
    ['a local name', 'http://localhost/hook', 'not a public address'],
    ['another scheme', 'ftp://example.org/', 'with http or https'],
    ['a password in it', 'http://user:secret@example.org/', 'user name or password'],
    ['text', 'example', 'with http or https'],
  ])('with %s is refused, when it is created and when it is changed', async (_name, url, message) => {
    const target = { type: 'organization' };
    const created = await hooks.call('POST', `${hooks.organization}/webhooks`, { url, target });
    expect([created.status, created.text]).toEqual([400, expect.stringContaining(message)]);
    const { path } = await hooks.subscribe(receiver.url);
    expect((await hooks.call('PATCH', path, { url })).status).toBe(400);
    await hooks.done('DELETE', path);
  });

  test.each([
    ['an unknown type of events', { eventTypes: ['nothing_happened'] }],
    ['no types of events', { eventTypes: [] }],
    ['an unknown target', { target: { type: 'team' } }],
    ['no target', { target: undefined }],
  ])('with %s is refused', async (_name, more) => {
    const body = { url: receiver.url, target: { type: 'organization' }, ...more };
    expect((await hooks.call('POST', `${hooks.organization}/webhooks`, body)).status).toBe(400);
  });

  test('has a precondition', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    const before = await hooks.call('GET', path);
    const ifMatch = { 'if-match': before.headers['etag'] ?? '' };
    const patch = () =>
      app.call('PATCH', path, { token: side.admin.token, body: { description: 'New' }, headers: ifMatch });
    expect([(await patch()).status, (await patch()).status]).toEqual([200, 412]);
    await hooks.done('DELETE', path);
  });

  test('of a space belongs to the admins of the space', async () => {
    const space = await hooks.aSpace();
    const owner = await aMember(app, side.organizationId, null, 'owner');
    await grantOn(app, owner, 'admin', [idIn(space)]);
    const target = { type: 'space', space: idIn(space) };
    const { path } = await hooks.subscribe(receiver.url, { target }, owner);
    const { path: general } = await hooks.subscribe(receiver.url);
    const listed = await hooks.call('GET', `${hooks.organization}/webhooks`, undefined, owner);
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual([idIn(path)]);
    expect((await hooks.call('GET', general, undefined, owner)).status).toBe(404);
    expect((await hooks.call('GET', path, undefined, side.people.create)).status).toBe(404);
    expect((await hooks.done('GET', path)).target).toEqual(target);

    await hooks.done('DELETE', space);
    expect((await hooks.call('GET', path)).status).toBe(404);
    await hooks.done('POST', `${space}/restore`);
    expect((await hooks.call('GET', path)).status).toBe(200);
    await app.sql('delete from spaces where id = $1', [idIn(space)]);
    expect(await app.sql('select from webhooks where id = $1', [idIn(path)])).toEqual([]);
    await hooks.done('DELETE', general);
  });

  test('of a space that is transferred is deleted: the other organization does not inherit it', async () => {
    const space = await hooks.aSpace();
    const { path } = await hooks.subscribe(receiver.url, { target: { type: 'space', space: idIn(space) } });
    const { id } = await hooks.done('POST', '/v1/orgs', { title: 'Another one' });
    await hooks.done('POST', `${space}/transfer`, { organization: id });
    expect(await app.sql('select from webhooks where id = $1', [idIn(path)])).toEqual([]);
  });

  test('needs the scopes of webhooks, with a token that has scopes', async () => {
    const { db } = app.app.installation.connection;
    const { token } = await insertToken(db, side.admin.id, { label: 'Reads', scopes: ['webhook:read'] });
    const path = `${hooks.organization}/webhooks`;
    expect((await app.call('GET', path, { token })).status).toBe(200);
    const body = { url: receiver.url, target: { type: 'organization' } };
    expect((await app.call('POST', path, { token, body })).status).toBe(403);
  });

  test('is one of at most 50 of an organization, also if they are created at once', async () => {
    const other = await aSide(app, 'many');
    const many = webhooksOf(app, other);
    await app.sql(
      `insert into webhooks (id, organization_id, url, secret_sealed)
       select 'many-' || n, $1, 'https://example.org', '' from generate_series(1, 48) n`,
      [other.organizationId],
    );
    const body = { url: receiver.url, target: { type: 'organization' } };
    const create = () => many.call('POST', `${many.organization}/webhooks`, body);
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
  });
});

describe('a test event', () => {
  test('is sent, signed, and in the log', async () => {
    const { path, secret } = await hooks.subscribe(receiver.url);
    const { id, status } = await hooks.done('POST', `${path}/test`);
    expect(status).toBe('pending');
    await performWebhooks(app);
    const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === id);
    if (!sent) throw new Error('the test was not sent');
    expect(verify(secret, sent)).toMatchObject({
      type: 'test',
      id,
      data: { organizationId: side.organizationId, webhookId: idIn(path) },
    });
    expect(sent.headers['content-type']).toBe('application/json');
    const details = await hooks.details(path, id);
    expect(details).toMatchObject({ eventType: 'test', status: 'delivered', attempts: [{ status: 204 }] });
    expect(details.payload).toEqual(sent.message);
    await hooks.done('DELETE', path);
  });

  test('of a disabled webhook is refused', async () => {
    const { path } = await hooks.subscribe(receiver.url, { enabled: false });
    const refused = await hooks.call('POST', `${path}/test`);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('Enable it')]);
    await hooks.done('DELETE', path);
  });
});

test('after a rotation, both secrets sign for a day', async () => {
  const { path, secret: old } = await hooks.subscribe(receiver.url);
  const { secret } = await hooks.done('POST', `${path}/rotate-secret`);
  expect(secret).not.toBe(old);
  const send = async () => {
    const { id } = await hooks.done('POST', `${path}/test`);
    await performWebhooks(app);
    const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === id);
    if (!sent) throw new Error('the test was not sent');
    return sent;
  };
  const both = await send();
  expect(verify(secret, both)).toEqual(both.message);
  expect(verify(old, both)).toEqual(both.message);
  await app.sql(`update webhooks set previous_secret_until = now() where id = $1`, [idIn(path)]);
  const later = await send();
  expect(verify(secret, later)).toEqual(later.message);
  expect(() => verify(old, later)).toThrow('No matching signature');
  await hooks.done('DELETE', path);
});

test('the log is filtered, and paged from the latest', async () => {
  const { path } = await hooks.subscribe(receiver.url);
  const space = await hooks.aSpace();
  await hooks.comment(space);
  await deliverAll(app);
  await hooks.done('POST', `${path}/test`);
  const types = async (query: string) =>
    (await hooks.deliveries(path, query)).map(({ eventType }) => eventType);
  expect(await types('')).toEqual(['test', 'comment_posted']);
  expect(await types('&status=pending')).toEqual(['test']);
  expect(await types('&status=delivered')).toEqual(['comment_posted']);
  expect(await types('&eventType=comment_posted')).toEqual(['comment_posted']);
  expect(await types('&eventType=comment_deleted')).toEqual([]);
  const { items, next } = await hooks.done('GET', `${path}/deliveries?limit=1`);
  const rest = await hooks.done('GET', `${path}/deliveries?limit=1&page=${next.page}`);
  expect([...items, ...rest.items].map(({ eventType }) => eventType)).toEqual(['test', 'comment_posted']);
  await hooks.done('DELETE', path);
});
