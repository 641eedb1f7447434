import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { aReceiver, type Receiver } from '../../../../test/webhook-receiver.ts';
import { performWebhooks, webhooksOf, type Webhooks } from '../../../../test/webhooks.ts';
import { aSide } from '../../../../test/world.ts';
import { claimLanes } from './lane-store.ts';

let app: TestApp;
let receiver: Receiver;
let hooks: Webhooks;
let spaces: readonly string[];

beforeAll(async () => {
  receiver = await aReceiver();
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: receiver.host } });
  hooks = webhooksOf(app, await aSide(app, 'alpha'));
  spaces = await Promise.all(Array.from({ length: 6 }, () => hooks.aSpace()));
});

afterAll(() => receiver.close());

beforeEach(async () => {
  await app.sql('delete from webhooks');
  receiver.received.length = 0;
  receiver.accepted.length = 0;
});

/** Comments in all spaces; their ids, by space in their order. */
async function happen(times: number): Promise<Map<string, string[]>> {
  const comments = new Map<string, string[]>(spaces.map((space) => [space, []]));
  for (let n = 0; n < times; n++)
    for (const space of spaces) comments.get(space)?.push(await hooks.comment(space));
  await app.tellReaders();
  return comments;
}

/** The comments that the receiver accepted, by space, without repetitions, as a receiver should treat them. */
function acceptedBySpace(): Map<string, string[]> {
  const messages = new Map(receiver.received.map(({ message }) => [message.id, message]));
  const bySpace = new Map<string, string[]>(spaces.map((space) => [space, []]));
  for (const id of new Set(receiver.accepted)) {
    const { spaceId, commentId } = messages.get(id).data;
    bySpace.get(`/v1/spaces/${spaceId}`)?.push(commentId);
  }
  return bySpace;
}

const failEveryThird = () => {
  let count = 0;
  receiver.respond((_received, response) => {
    response.writeHead(++count % 3 === 0 ? 500 : 204).end();
  });
};

test('two workers at once deliver all events once, in the order of each resource', async () => {
  failEveryThird();
  await hooks.subscribe(receiver.url);
  const comments = await happen(12);
  await Promise.all([performWebhooks(app), performWebhooks(app)]);
  while ((await app.sql('select from webhook_lanes')).length > 0) {
    await app.sql('update webhook_lanes set due_at = now()');
    await performWebhooks(app);
  }
  expect(acceptedBySpace()).toEqual(comments);
  expect(receiver.accepted).toHaveLength(12 * spaces.length);
});

test('what a process that ended has claimed is taken over', async () => {
  receiver.respond(204);
  await hooks.subscribe(receiver.url);
  const comments = await happen(2);
  const { db } = app.app.installation.connection;
  expect(await claimLanes(db)).toHaveLength(spaces.length);
  expect(await claimLanes(db)).toEqual([]);
  await performWebhooks(app);
  expect(acceptedBySpace()).toEqual(comments);
});

test('one subscription has at most eight requests at the same time, and one after many failures', async () => {
  const more = await Promise.all(Array.from({ length: 6 }, () => hooks.aSpace()));
  const { path } = await hooks.subscribe(receiver.url);
  const { db } = app.app.installation.connection;
  for (const space of [...spaces, ...more]) await hooks.comment(space);
  await app.tellReaders();
  expect(await claimLanes(db)).toHaveLength(8);
  expect(await claimLanes(db)).toEqual([]);
  await app.sql('update webhook_lanes set lease_until = null');
  await app.sql('update webhooks set failures = 10');
  expect(await claimLanes(db)).toHaveLength(1);
  await hooks.done('DELETE', path);
});

test('an organization with many receivers that hang leaves places to others', async () => {
  const other = webhooksOf(app, await aSide(app, 'beta'));
  for (let n = 0; n < 4; n++) await hooks.subscribe(receiver.url);
  await happen(1);
  const { db } = app.app.installation.connection;
  expect(await claimLanes(db)).toHaveLength(16);
  await other.subscribe(receiver.url);
  await other.comment(await other.aSpace());
  await app.tellReaders();
  expect(await claimLanes(db)).toHaveLength(1);
});
