import { setTimeout as delay } from 'node:timers/promises';
import { aReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { createApi, type Api } from '../api.ts';
import { childrenOf } from '../child.ts';
import { atMost, type Bench, type Check } from '../check.ts';
import { startServer, temporaryFolder } from '../server.ts';

const EVENTS = 1000;
const SPACES = 50;
const KILL_AFTER = 300;
const LIMIT_MS = 120_000;

/** The ids of comments by space, in their order. */
type Comments = Map<string, string[]>;

async function aSpace(api: Api, organizationId: string): Promise<string> {
  const path = `/v1/orgs/${organizationId}/spaces`;
  return (await api.send<{ id: string }>({ method: 'POST', path, body: { title: 'Measured' } })).id;
}

/** Those of one space one after the other, all spaces beside each other. */
async function comment(api: Api, spaces: readonly string[]): Promise<Comments> {
  const body = { body: { markdown: 'Measured' } };
  const inSpace = async (space: string): Promise<[string, string[]]> => {
    const ids: string[] = [];
    for (let n = 0; n < EVENTS / SPACES; n++) {
      const path = `/v1/spaces/${space}/comments`;
      ids.push((await api.send<{ id: string }>({ method: 'POST', path, body })).id);
    }
    return [space, ids];
  };
  return new Map(await Promise.all(spaces.map(inSpace)));
}

/** What the receiver has accepted, in its order; a repetition does not count, as its id is known. */
function acceptedComments({ received, accepted }: Receiver): Comments {
  const messages = new Map(received.map(({ message }) => [message.id, message.data]));
  const bySpace: Comments = new Map();
  for (const id of new Set(accepted)) {
    const { spaceId, commentId } = messages.get(id);
    bySpace.set(spaceId, [...(bySpace.get(spaceId) ?? []), commentId]);
  }
  return bySpace;
}

function requireOrder(sent: Comments, received: Comments): void {
  for (const [space, ids] of sent) {
    const found = received.get(space) ?? [];
    const isSame = found.length === ids.length && ids.every((id, at) => found[at] === id);
    if (!isSame) throw new Error(`space ${space}: ${found.length} of ${ids.length}, or another order`);
  }
}

async function until(isReached: () => boolean, what: () => string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!isReached()) {
    if (performance.now() > deadline) throw new Error(what());
    await delay(5);
  }
}

/** From the first event to the last one that was accepted; the process that delivers is killed between. */
async function secondsToDeliver({ cleanup }: Bench): Promise<number> {
  const receiver = await aReceiver();
  cleanup.add(() => Promise.resolve(receiver.close()));
  let count = 0;
  receiver.respond((_received, response) => {
    response.writeHead(++count % 3 === 0 ? 500 : 204).end();
  });
  const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache: 'on' });
  const api = createApi(server);
  const organizationId = await api.createOrganization();
  const spaces = await Promise.all(Array.from({ length: SPACES }, () => aSpace(api, organizationId)));
  await api.send({
    method: 'POST',
    path: `/v1/orgs/${organizationId}/webhooks`,
    body: { url: receiver.url, target: { type: 'organization' }, eventTypes: ['comment_posted'] },
  });

  const begun = performance.now();
  const reached = () => new Set(receiver.accepted).size;
  const killed = until(
    () => reached() >= KILL_AFTER,
    () => `${reached()} accepted, too few to kill the process`,
  ).then(() => childrenOf(server.pid).map((pid) => process.kill(pid, 'SIGKILL')));
  const sent = await comment(api, spaces);
  if ((await killed).length === 0) throw new Error('there was no heavy process to kill');
  await until(
    () => reached() >= EVENTS,
    () => `${reached()} of ${EVENTS} events were delivered`,
  );
  const seconds = (performance.now() - begun) / 1000;
  requireOrder(sent, acceptedComments(receiver));
  await server.stop();
  return seconds;
}

export const webhookChecks: readonly Check[] = [
  {
    name: `webhooks: ${EVENTS} events, every third request fails, the heavy process is killed once`,
    aim: atMost(10, 's'),
    measure: secondsToDeliver,
  },
];
