import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from './app.ts';
import { whileTimeIsLeft } from './expiry.ts';
import { anotherOrganization } from './builders/people.ts';
import { aMember, aSide, type Person, type Side } from './world.ts';

/** Effective roles change indirectly: by a team, an ancestor collection, a default. No cached role may survive that. */

let writer: TestApp;
let other: TestApp;
let uncached: TestApp;
let side: Side;

beforeAll(async () => {
  writer = await startApp();
  other = await startApp({ beside: writer });
  uncached = await startApp({ beside: writer, environment: { OCTAVO_CACHE: 'off' } });
  side = await aSide(writer, 'alpha');
});

interface Fixture {
  readonly person: Person;
  readonly outer: string;
  readonly inner: string;
  readonly space: string;
  readonly team: string;
  /** As the admin. */
  send(method: string, path: string, body?: object): Promise<Answer>;
  readonly organization: string;
}

async function createFixture(role: 'edit' | null): Promise<Fixture> {
  const organization = `/v1/orgs/${side.organizationId}`;
  const send = async (method: string, path: string, body?: object) => {
    const answer = await writer.call(method, path, { token: side.admin.token, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const make = async (method: string, path: string, body: object) =>
    (await send(method, organization + path, body)).body.id as string;
  const person = await aMember(writer, side.organizationId, role);
  const outer = await make('POST', '/collections', { title: 'Outer' });
  const inner = await make('POST', '/collections', { title: 'Inner', parent: outer });
  const space = await make('POST', '/spaces', { title: 'Space', parent: inner });
  const team = await make('PUT', '/teams', { title: 'Team', members: [person.id] });
  return { person, outer, inner, space, team, send, organization };
}

type Change = (fixture: Fixture) => Promise<unknown>;

const grant =
  (place: 'outer' | 'inner' | 'space', to: 'users' | 'teams', role: string | null): Change =>
  (fixture) => {
    const prefix = place === 'space' ? 'spaces' : 'collections';
    const grantee = to === 'users' ? fixture.person.id : fixture.team;
    return fixture.send('POST', `/v1/${prefix}/${fixture[place]}/permissions`, { role, [to]: [grantee] });
  };

const setDefaultLevel =
  (place: 'outer' | 'inner' | 'space', defaultLevel: string | null): Change =>
  (fixture) =>
    fixture.send('PATCH', `/v1/${place === 'space' ? 'spaces' : 'collections'}/${fixture[place]}`, {
      defaultLevel,
    });

const makeGuest: Change = ({ send, organization, person }) =>
  send('PATCH', `${organization}/members/${person.id}`, { role: null });

/** The setup, and the write that changes the effective role. */
const CASES: readonly (readonly [name: string, before: readonly Change[], change: Change])[] = [
  [
    'a grant on the space is removed',
    [makeGuest, grant('space', 'users', 'edit')],
    grant('space', 'users', null),
  ],
  ['a grant on the space changes', [grant('space', 'users', 'review')], grant('space', 'users', 'read')],
  [
    'a grant on a collection is removed',
    [makeGuest, grant('outer', 'users', 'edit')],
    grant('outer', 'users', null),
  ],
  ['a nearer grant is added', [grant('outer', 'users', 'admin')], grant('inner', 'users', 'read')],
  [
    'the grant of a team is removed',
    [makeGuest, grant('outer', 'teams', 'edit')],
    grant('outer', 'teams', null),
  ],
  [
    'the user leaves the team',
    [makeGuest, grant('space', 'teams', 'edit')],
    ({ send, organization, team, person }) =>
      send('DELETE', `${organization}/teams/${team}/members/${person.id}`),
  ],
  [
    'the user joins the team',
    [
      ({ send, organization, team, person }) =>
        send('DELETE', `${organization}/teams/${team}/members/${person.id}`),
      grant('space', 'teams', 'admin'),
    ],
    ({ send, organization, team, person }) =>
      send('PUT', `${organization}/teams/${team}/members/${person.id}`, {}),
  ],
  [
    'the team is deleted',
    [makeGuest, grant('inner', 'teams', 'edit')],
    ({ send, organization, team }) => send('DELETE', `${organization}/teams/${team}`),
  ],
  ['the default level of an ancestor is removed', [], setDefaultLevel('outer', null)],
  [
    'the default level of an ancestor is set',
    [setDefaultLevel('outer', null)],
    setDefaultLevel('outer', 'review'),
  ],
  ['a nearer default level is set', [setDefaultLevel('outer', 'admin')], setDefaultLevel('inner', 'read')],
  ['the default level of the space is removed', [], setDefaultLevel('space', null)],
  ['the user becomes a guest', [], makeGuest],
  [
    'the role of the user changes',
    [],
    ({ send, organization, person }) =>
      send('PATCH', `${organization}/members/${person.id}`, { role: 'admin' }),
  ],
  [
    'the member is removed',
    [grant('space', 'users', 'admin')],
    ({ send, organization, person }) => send('DELETE', `${organization}/members/${person.id}`),
  ],
  [
    'the space moves to the root',
    [makeGuest, grant('inner', 'users', 'edit')],
    ({ send, space }) => send('POST', `/v1/spaces/${space}/move`, { parent: null }),
  ],
  [
    'a collection moves to the root',
    [makeGuest, grant('outer', 'users', 'edit')],
    ({ send, inner }) => send('POST', `/v1/collections/${inner}/move`, { parent: null }),
  ],
  [
    'a collection is deleted',
    [grant('inner', 'users', 'edit')],
    ({ send, outer }) => send('DELETE', `/v1/collections/${outer}`),
  ],
  [
    'the space is transferred',
    [grant('space', 'users', 'edit')],
    async ({ send, space }) => {
      const { id } = await anotherOrganization(writer, side, side.admin, new Map());
      await send('POST', `/v1/spaces/${space}/transfer`, { organization: id });
    },
  ],
  [
    'a collection is transferred',
    [grant('inner', 'users', 'edit')],
    async ({ send, outer }) => {
      const { id } = await anotherOrganization(writer, side, side.admin, new Map());
      await send('POST', `/v1/collections/${outer}/transfer`, { organization: id });
    },
  ],
  [
    "the organization's default role changes",
    [],
    ({ send, organization }) => send('PATCH', organization, { defaultRole: 'review' }),
  ],
];

describe('after an indirect change of a role, no stale access remains:', () => {
  test.each(CASES)('%s', async (_name, before, change) => {
    const fixture = await createFixture('edit');
    for (const each of before) await each(fixture);
    const paths = [
      `/v1/spaces/${fixture.space}`,
      `/v1/spaces/${fixture.space}/permissions/users`,
      `/v1/collections/${fixture.inner}`,
      `/v1/collections/${fixture.inner}/spaces`,
      `/v1/collections/${fixture.outer}`,
      fixture.organization,
    ];
    const readAll = async (app: TestApp) => {
      const answers: string[] = [];
      for (const path of paths) {
        const { status, text } = await app.call('GET', path, { token: fixture.person.token });
        answers.push(`${path} ${status} ${text}`);
      }
      return answers;
    };
    const old = await readAll(uncached);
    for (const app of [writer, writer, other, other]) expect(await readAll(app)).toEqual(old);

    await change(fixture);
    const writtenAt = Date.now();
    expect(await readAll(writer)).toEqual(await readAll(uncached));
    const expected = await readAll(uncached);
    expect(expected, 'the change must change something').not.toEqual(old);
    for (;;) {
      const readAt = Date.now();
      const actual = await readAll(other);
      if (readAt > writtenAt + 1000) expect(actual).toEqual(expected);
      if (JSON.stringify(actual) === JSON.stringify(expected)) break;
    }
  });
});

test('a deleted space disappears when its retention ends, without any write', async () => {
  const { space, send } = await createFixture('edit');
  await send('DELETE', `/v1/spaces/${space}`);
  const { token } = side.admin;
  const read = () => writer.call('GET', `/v1/spaces/${space}`, { token });
  await whileTimeIsLeft(async (expires) => {
    const deletedAt = new Date(expires.getTime() - 7 * 24 * 3_600_000);
    await writer.sql('update spaces set deleted_at = $1 where id = $2', [deletedAt, space]);
    // Puts the space into the cache.
    await delay(100);
    for (let count = 0; count < 3; count++) expect((await read()).status).toBe(200);
  });
  expect((await read()).status).toBe(404);
});

test('a token expires in the cache, without any write', async () => {
  let token = '';
  const read = () => writer.call('GET', '/v1/user', { token });
  await whileTimeIsLeft(async (expires) => {
    const body = { label: 'Short', expiresAt: expires.toISOString() };
    token = (await writer.call('POST', '/v1/user/tokens', { token: side.admin.token, body })).body.token;
    expect((await read()).status).toBe(200);
  });
  expect((await read()).status).toBe(401);
});
