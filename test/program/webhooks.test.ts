import path from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../at-end.ts';
import { aReceiver } from '../webhook-receiver.ts';
import { startedBefore } from './data-directory.ts';
import { send } from './load.ts';
import { heavyProcessOf, startProgram, temporaryDirectory } from './program.ts';

const SPACES = 4;
const COMMENTS = 10;

test('a process that is killed while it delivers loses no event, and changes no order', async () => {
  const receiver = await aReceiver();
  atEnd(async () => receiver.close());
  const program = await startProgram({
    env: {
      OCTAVO_DATA: await startedBefore(path.join(temporaryDirectory(), 'data')),
      OCTAVO_LOG_LEVEL: 'fatal',
      OCTAVO_OUTBOUND_ALLOW: receiver.host,
    },
  });
  const call = async (method: string, to: string, body?: object) => {
    const answer = await send(program.url, { method, path: to, token: program.token, ...(body && { body }) });
    expect(answer.status, answer.body).toBeLessThan(300);
    return JSON.parse(answer.body);
  };
  const [organization] = (await call('GET', '/v1/orgs')).items;
  const at = `/v1/orgs/${organization.id}`;
  const target = { type: 'organization' };
  await call('POST', `${at}/webhooks`, { url: receiver.url, target, eventTypes: ['comment_posted'] });

  let count = 0;
  const isKilled: boolean[] = [];
  receiver.respond((_received, response) => {
    const heavy = heavyProcessOf(program.pid);
    // In the middle of a request: it is unknown whether it arrived.
    if (++count === 8 && heavy !== undefined) isKilled.push(process.kill(heavy, 'SIGKILL'));
    response.writeHead(count % 3 === 0 ? 500 : 204).end();
  });
  const inSpace = async (_: unknown, n: number): Promise<[string, string[]]> => {
    const { id } = await call('POST', `${at}/spaces`, { title: `Space ${n}` });
    const comments: string[] = [];
    for (let each = 0; each < COMMENTS; each++)
      comments.push((await call('POST', `/v1/spaces/${id}/comments`, { body: { markdown: 'Why?' } })).id);
    return [id, comments];
  };
  const sent = new Map(await Promise.all(Array.from({ length: SPACES }, inSpace)));
  const accepted = () => [...new Set(receiver.accepted)];
  await expect.poll(() => accepted().length, { timeout: 240_000, interval: 50 }).toBe(SPACES * COMMENTS);
  expect(isKilled).toEqual([true]);

  const messages = new Map(receiver.received.map(({ message }) => [message.id, message.data]));
  const found = new Map<string, string[]>([...sent.keys()].map((space) => [space, []]));
  for (const id of accepted()) found.get(messages.get(id).spaceId)?.push(messages.get(id).commentId);
  expect(found).toEqual(sent);
}, 300_000);
