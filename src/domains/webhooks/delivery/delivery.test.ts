import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { aReceiver, type Receiver } from '../../../../test/webhook-receiver.ts';
import {
  deliverAll,
  passTime,
  performWebhooks,
  webhooksOf,
  type Webhooks,
} from '../../../../test/webhooks.ts';
import { aMember, aSide, type Person, type Side } from '../../../../test/world.ts';
import { jobContext } from '../../../../test/import-runs.ts';
import { DELAYS } from '../limits.ts';
import { purgeWebhookDeliveries } from '../jobs.ts';

let app: TestApp;
let side: Side;
let receiver: Receiver;
let other: Receiver;
let hooks: Webhooks;

beforeAll(async () => {
  [receiver, other] = [await aReceiver(), await aReceiver()];
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `${receiver.host},${other.host}` } });
  side = await aSide(app, 'alpha');
  hooks = webhooksOf(app, side);
});

afterAll(() => {
  receiver.close();
  other.close();
});

beforeEach(() => {
  receiver.respond(204);
  receiver.received.length = 0;
  receiver.accepted.length = 0;
});

afterEach(() => app.sql('delete from webhooks'));

const idIn = (path: string) => path.split('/').at(-1) ?? '';

/** What was received, by the ids of the comments. */
const commentsSent = () => receiver.received.map(({ message }) => message.data.commentId);

const reasonOf = async (path: string) => {
  const { enabled, disabledReason } = await hooks.done('GET', path);
  return { enabled, disabledReason };
};

const statusesOf = async (path: string) => (await hooks.deliveries(path)).map(({ status }) => status);

/** Seconds between the last attempt of each delivery that waits and its next one. */
const pauses = async () =>
  (
    await app.sql(
      `select extract(epoch from l.due_at - (d.attempts -> -1 ->> 'at')::timestamptz)::float8 as s
       from webhook_lanes l join webhook_deliveries d using (webhook_id, resource) where d.failures > 0`,
    )
  ).map(({ s }) => Number(s));

/** Failures of the subscription in a row, after which there are no quick retries. */
const forgetFailures = () => app.sql('update webhooks set failures = 0');

describe('a delivery that fails', () => {
  test('is repeated at ever longer intervals with the same id and body, over days, and then fails', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    const space = await hooks.aSpace();
    receiver.respond(503);
    await hooks.comment(space);
    await deliverAll(app);
    const waited: number[] = [];
    for (let rest = 0; rest < 20 && (await statusesOf(path))[0] === 'pending'; rest++) {
      waited.push(...(await pauses()));
      await forgetFailures();
      await passTime(app);
    }
    expect(await statusesOf(path)).toEqual(['failed']);
    // The quick ones were waited for.
    const quick = DELAYS.length - waited.length;
    expect(quick).toBeGreaterThanOrEqual(4);
    for (const [at, pause] of waited.entries()) {
      const planned = (DELAYS[at + quick] ?? 0) / 1000;
      expect(pause).toBeGreaterThanOrEqual(planned * 0.9);
      expect(pause).toBeLessThan(planned * 1.1 + 60);
    }
    expect(receiver.received).toHaveLength(DELAYS.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    const [{ id }] = await hooks.deliveries(path);
    const { attempts } = await hooks.details(path, id);
    expect(attempts).toHaveLength(DELAYS.length + 1);
    expect(attempts[0]).toMatchObject({ status: 503, at: expect.any(String) });
  });

  test('delays later ones about the same resource, and no others', async () => {
    await hooks.subscribe(receiver.url);
    const [one, two] = [await hooks.aSpace(), await hooks.aSpace()];
    receiver.respond((received, response) => {
      response.writeHead(received.message.data.spaceId === idIn(one) ? 500 : 200).end();
    });
    const first = await hooks.comment(one);
    const second = await hooks.comment(one);
    const third = await hooks.comment(two);
    await deliverAll(app);
    expect(new Set(commentsSent())).toEqual(new Set([first, third]));
    receiver.received.length = 0;
    receiver.respond(200);
    await passTime(app);
    expect(commentsSent()).toEqual([first, second]);
  });

  test('waits as long as the receiver asks for, but no longer than a day', async () => {
    await hooks.subscribe(receiver.url);
    const respond = (retryAfter: string) =>
      receiver.respond((_received, response) => {
        response.writeHead(429, { 'retry-after': retryAfter }).end('Too many');
      });
    respond('120');
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    expect(receiver.received).toHaveLength(1);
    const [first = 0] = await pauses();
    expect(Math.round(first / 10)).toBe(12);
    respond('99999999');
    await passTime(app);
    const [second = 0] = await pauses();
    expect(Math.round(second / 3600)).toBe(24);
  });

  test('is logged with the beginning of the response', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    receiver.respond((_received, response) => {
      response.writeHead(400).end(`Not \u0000 like this. ${'x'.repeat(5000)}`);
    });
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    const [{ id, nextAttemptAt }] = await hooks.deliveries(path);
    expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now());
    const [{ excerpt }] = (await hooks.details(path, id)).attempts;
    expect(excerpt).toMatch(/^Not \ufffd like this\. x+$/);
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1100);
  });

  test('by a redirect is not sent elsewhere', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    receiver.respond((_received, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const before = other.received.length;
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    expect(other.received).toHaveLength(before);
    const [{ id }] = await hooks.deliveries(path);
    const [{ error }] = (await hooks.details(path, id)).attempts;
    expect(error).toContain('redirects are not followed');
  });

  test('because the address has become private is not sent', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    await app.sql(`update webhooks set url = 'http://127.0.0.1:9/' where id = $1`, [idIn(path)]);
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    const [{ id, status }] = await hooks.deliveries(path);
    expect(status).toBe('pending');
    const [{ error }] = (await hooks.details(path, id)).attempts;
    expect(error).toContain('not a public address');
  });
});

test('receivers that never answer, answer slowly, or send 200 MB delay no other', async () => {
  const odd: string[] = [];
  other.respond((_received, response) => {
    const kind = odd.length % 3;
    odd.push(String(kind));
    if (kind === 0) return;
    response.writeHead(kind === 1 ? 500 : 200, kind === 2 ? { 'content-length': 200_000_000 } : {});
    const writing = setInterval(() => response.write(kind === 1 ? '.' : Buffer.alloc(65_536)), 20);
    response.on('close', () => clearInterval(writing));
  });
  const { path: strange } = await hooks.subscribe(other.url);
  const { path } = await hooks.subscribe(receiver.url);
  const spaces = [await hooks.aSpace(), await hooks.aSpace(), await hooks.aSpace()];
  for (const space of spaces) await hooks.comment(space);
  await app.tellReaders();
  const delivering = performWebhooks(app);
  await expect.poll(() => statusesOf(path), { timeout: 120_000 }).toEqual(spaces.map(() => 'delivered'));
  // Meanwhile, the one that never answers is still asked.
  expect(other.openRequests()).toBeGreaterThan(0);
  await delivering;
  expect(await statusesOf(strange)).toContain('delivered');
  const logged = await Promise.all(
    (await hooks.deliveries(strange)).map(async ({ id }) => (await hooks.details(strange, id)).attempts),
  );
  const errors = logged.flat().map(({ error, status }) => error ?? status);
  expect(errors).toContainEqual(expect.stringContaining('did not respond'));
});

describe('a webhook is disabled', () => {
  test('by the status 410, until it is enabled again', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    const space = await hooks.aSpace();
    receiver.respond(410);
    await hooks.comment(space);
    const second = await hooks.comment(space);
    await deliverAll(app);
    expect(receiver.received).toHaveLength(1);
    expect(await reasonOf(path)).toEqual({ enabled: false, disabledReason: 'gone' });
    expect(await statusesOf(path)).toEqual(['pending', 'failed']);
    await hooks.comment(space);
    receiver.respond(204);
    receiver.received.length = 0;
    await deliverAll(app);
    expect(receiver.received).toEqual([]);
    await hooks.done('PATCH', path, { enabled: true });
    await performWebhooks(app);
    // What waited is sent, what happened meanwhile is not.
    expect(commentsSent()).toEqual([second]);
    expect(await reasonOf(path)).toEqual({ enabled: true });
  });

  test('after five days without a success', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    receiver.respond(500);
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    expect(await reasonOf(path)).toEqual({ enabled: true });
    expect((await hooks.done('GET', path)).failingSince).toBeDefined();
    await app.sql(`update webhooks set failing_since = now() - interval '5 days 1 minute'`);
    await passTime(app);
    expect(await reasonOf(path)).toEqual({ enabled: false, disabledReason: 'failing' });
  });

  test('but a success forgets the failures', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    receiver.respond(500);
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    receiver.respond(200);
    await passTime(app);
    expect((await hooks.done('GET', path)).failingSince).toBeUndefined();
  });
});

describe('between the event and its delivery', () => {
  const organization = () => hooks.organization;
  const demote = (who: Person) =>
    hooks.done('PATCH', `${organization()}/members/${who.id}`, { role: 'read' });
  const remove = (who: Person) => hooks.done('DELETE', `${organization()}/members/${who.id}`);
  const disableMember = (who: Person) =>
    app.sql('update members set disabled = true where user_id = $1', [who.id]);
  const disableUser = (who: Person) =>
    app.sql('update users set disabled_at = now() where id = $1', [who.id]);
  const deleteUser = (who: Person) => app.sql('delete from users where id = $1', [who.id]);

  test.each<[string, (who: Person) => Promise<unknown>]>([
    ['loses the role', demote],
    ['leaves the organization', remove],
    ['is disabled in the organization', disableMember],
    ['is disabled by the operator', disableUser],
    ['is deleted', deleteUser],
  ])('the responsible user %s: nothing is sent until another one takes over', async (_name, lose) => {
    const creator = await aMember(app, side.organizationId, 'admin', 'creator');
    const { path } = await hooks.subscribe(receiver.url, {}, creator);
    const comment = await hooks.comment(await hooks.aSpace());
    await app.tellReaders();
    await lose(creator);
    await performWebhooks(app);
    expect(receiver.received).toEqual([]);
    expect(await reasonOf(path)).toEqual({ enabled: false, disabledReason: 'responsible-lost-access' });
    const taken = await hooks.done('PATCH', path, { enabled: true });
    expect(taken.responsible.id).toBe(side.admin.id);
    await performWebhooks(app);
    expect(commentsSent()).toEqual([comment]);
  });

  test('a space is deleted: its event is withheld, and can be replayed when it is restored', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    const space = await hooks.aSpace();
    const { path: ofSpace } = await hooks.subscribe(receiver.url, {
      target: { type: 'space', space: idIn(space) },
    });
    await hooks.comment(space);
    await app.tellReaders();
    await hooks.done('DELETE', space);
    await performWebhooks(app);
    expect(receiver.received).toEqual([]);
    const [{ id, status }] = await hooks.deliveries(path);
    expect(status).toBe('withheld');
    expect((await hooks.details(path, id)).payload).toBeNull();
    await hooks.done('POST', `${space}/restore`);
    expect(await reasonOf(ofSpace)).toEqual({ enabled: true });
    for (const each of [path, ofSpace]) {
      const [delivery] = await hooks.deliveries(each);
      await hooks.done('POST', `${each}/deliveries/${delivery.id}/replay`);
    }
    await performWebhooks(app);
    expect(receiver.received).toHaveLength(2);
  });

  test('the webhook is deleted: nothing is sent', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    await hooks.comment(await hooks.aSpace());
    await app.tellReaders();
    await hooks.done('DELETE', path);
    await performWebhooks(app);
    expect(receiver.received).toEqual([]);
    expect(await app.sql('select from webhook_lanes')).toEqual([]);
  });
});

test('a webhook that is deleted while it delivers sends nothing more', async () => {
  const { path } = await hooks.subscribe(receiver.url);
  const space = await hooks.aSpace();
  for (let n = 0; n < 3; n++) await hooks.comment(space);
  receiver.respond(async (_received, response) => {
    await hooks.done('DELETE', path);
    response.writeHead(204).end();
  });
  await deliverAll(app);
  expect(receiver.received).toHaveLength(1);
});

describe('a replay', () => {
  test('sends a delivery again, with its id', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    await hooks.comment(await hooks.aSpace());
    await deliverAll(app);
    const [{ id }] = await hooks.deliveries(path);
    expect((await hooks.done('POST', `${path}/deliveries/${id}/replay`)).status).toBe('pending');
    await performWebhooks(app);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    const details = await hooks.details(path, id);
    expect([details.status, details.attempts.length]).toEqual(['delivered', 2]);
  });

  test('of failed deliveries sends those since a time, in their order', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    const space = await hooks.aSpace();
    const comments: string[] = [];
    for (let n = 0; n < 4; n++) comments.push(await hooks.comment(space));
    await app.tellReaders();
    await app.sql(`update webhook_deliveries set status = 'failed'`);
    await app.sql(
      `update webhook_deliveries set occurred_at = now() - interval '2 hours' where data->>'commentId' = $1`,
      [comments[0]],
    );
    const since = new Date(Date.now() - 60 * 60 * 1000).toISOString();
    expect(await hooks.done('POST', `${path}/replay-failed`, { since })).toEqual({ count: 3 });
    await performWebhooks(app);
    expect(commentsSent()).toEqual(comments.slice(1));
    expect(await hooks.done('POST', `${path}/replay-failed`, { since })).toEqual({ count: 0 });
  });

  test('of a disabled webhook is refused', async () => {
    const { path } = await hooks.subscribe(receiver.url);
    await hooks.comment(await hooks.aSpace());
    await app.tellReaders();
    await hooks.done('PATCH', path, { enabled: false });
    const [{ id }] = await hooks.deliveries(path);
    const since = new Date().toISOString();
    const answers = [
      await hooks.call('POST', `${path}/deliveries/${id}/replay`),
      await hooks.call('POST', `${path}/replay-failed`, { since }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  });
});

test('the log is deleted after 30 days', async () => {
  const { path } = await hooks.subscribe(receiver.url);
  const space = await hooks.aSpace();
  await hooks.comment(space);
  await hooks.comment(space);
  await deliverAll(app);
  const [{ id }] = await hooks.deliveries(path);
  await app.sql(`update webhook_deliveries set created_at = now() - interval '31 days' where id = $1`, [id]);
  await purgeWebhookDeliveries.run(jobContext(app), {});
  expect(await hooks.deliveries(path)).toHaveLength(1);
});
