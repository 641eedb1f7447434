import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { dice, placesOf, type Places } from '../../../test/places.ts';
import { aMember, aSide, type Person, type Side } from '../../../test/world.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Need } from '../../platform/api/resource.ts';
import { atLeast, ROLES, type Role } from '../access/index.ts';
import { collections } from '../collections/index.ts';
import { spaces } from '../spaces/index.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  places = placesOf(app, side);
});

/**
 * One line a case: the role in the organization | the defaults of the outer and the inner collection and of the space
 * (`.` inherits, `0` is null) | grants, as place:grantee:role | the role on outer, inner and space (`0`: none).
 * The person is in the teams t1 and t2, not in t3. `-` is a guest.
 */
const CASES = `
  admin   | . . .            |                                            | admin admin admin
  create  | . . .            |                                            | create create create
  review  | . . .            |                                            | review review review
  edit    | . . .            |                                            | edit edit edit
  comment | . . .            |                                            | comment comment comment
  read    | . . .            |                                            | read read read
  -       | . . .            |                                            | 0 0 0
  admin   | 0 0 0            |                                            | admin admin admin
  admin   | read read read   |                                            | admin admin admin
  admin   | . . .            | space:user:read                            | admin admin admin
  admin   | . . 0            | outer:user:comment inner:t1:read           | admin admin admin
  edit    | . . 0            |                                            | edit edit 0
  edit    | . . admin        |                                            | edit edit admin
  edit    | . 0 .            |                                            | edit 0 0
  edit    | 0 . .            |                                            | 0 0 0
  edit    | 0 review .       |                                            | 0 review review
  edit    | 0 review 0       |                                            | 0 review 0
  edit    | read . create    |                                            | read read create
  create  | read . .         |                                            | read read read
  read    | admin . .        |                                            | admin admin admin
  read    | admin 0 .        |                                            | admin 0 0
  read    | admin 0 read     |                                            | admin 0 read
  -       | admin admin admin |                                           | 0 0 0
  -       | . . read         |                                            | 0 0 0
  -       | . . .            | space:user:edit                            | 0 0 edit
  edit    | . . .            | space:user:read                            | edit edit read
  read    | . . .            | space:user:admin                           | read read admin
  edit    | . . 0            | space:user:comment                         | edit edit comment
  edit    | . . admin        | space:user:read                            | edit edit read
  -       | . . .            | space:t1:review                            | 0 0 review
  edit    | . . .            | space:t1:read                              | edit edit read
  edit    | . . .            | space:t1:read space:t2:create              | edit edit create
  edit    | . . .            | space:user:read space:t1:create            | edit edit create
  edit    | . . .            | space:user:create space:t1:read            | edit edit create
  -       | . . .            | space:user:read space:t1:comment space:t2:edit | 0 0 edit
  edit    | . . .            | space:t3:admin                             | edit edit edit
  -       | . . .            | space:t3:admin outer:t3:read               | 0 0 0
  -       | . . .            | outer:user:edit                            | edit edit edit
  -       | . . .            | inner:user:edit                            | 0 edit edit
  -       | . . .            | outer:user:admin inner:user:read           | admin read read
  -       | . . .            | outer:user:read inner:t1:review            | read review review
  -       | . . .            | outer:t1:admin space:user:read             | admin admin read
  -       | . . .            | inner:t1:admin space:t2:comment            | 0 admin comment
  -       | . . .            | outer:t2:create inner:t1:comment space:t1:read | create comment read
  edit    | 0 0 0            | outer:user:review                          | review review review
  edit    | . . 0            | inner:user:comment                         | edit comment comment
  read    | . . admin        | outer:t1:comment                           | comment comment comment
  edit    | . . .            | inner:t3:admin                             | edit edit edit
  create  | . . .            | outer:user:read                            | read read read
  -       | . . .            | inner:user:read inner:t1:edit              | 0 edit edit
  -       | 0 0 0            | space:t1:admin                             | 0 0 admin
  comment | edit . .         | inner:user:read                            | edit read read
  edit    | 0 . read         | inner:t2:create                            | 0 create create
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

const roleOf = (word: string | undefined): Role | null =>
  ROLES.includes(word as Role) ? (word as Role) : null;

/** The flags that a response should have for the role. */
const flagsOf = (needs: Readonly<Record<string, Need<never>>>, shown: object, role: Role) =>
  Object.fromEntries(
    Object.keys(shown).map((flag) => [
      flag,
      needs[flag]?.role !== undefined && atLeast(role, needs[flag].role as Role),
    ]),
  );

async function setLevel(table: 'spaces' | 'collections', id: string, level: string): Promise<void> {
  const values = [level !== '.' ? roleOf(level) : null, level === '.', id];
  await app.sql(`update ${table} set default_level = $1, default_inherits = $2 where id = $3`, values);
}

async function grant(kind: 'space' | 'collection', id: string, key: string, grantee: string, role: string) {
  await app.sql(
    `insert into grants (id, organization_id, ${kind}_id, ${key}, role) values ($1, $2, $3, $4, $5)`,
    [newId(), side.organizationId, id, grantee, role],
  );
}

async function teamsOf(person: Person): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const name of ['t1', 't2', 't3']) {
    const members = name === 't3' ? [] : [person.id];
    ids[name] = (await places.call('PUT', `${places.organization}/teams`, { title: name, members })).body.id;
  }
  return ids;
}

/** Checks every response that contains the role of a person on a space or collection. */
async function expectRole(kind: 'space' | 'collection', id: string, person: Person, role: Role | null) {
  const path = `/v1/${kind}s/${id}`;
  const single = await places.get(path, person.token);
  const list = (await places.get(`${places.organization}/${kind}s?limit=1000`, person.token)).body.items;
  const listed = list.find((item: { id: string }) => item.id === id);
  const everybody = (await places.get(`${path}/permissions/aggregate?limit=1000`)).body.items;
  const found = everybody.find((item: { user: { id: string } }) => item.user.id === person.id);
  expect(found?.permission ?? null).toBe(role);
  expect(single.status).toBe(role ? 200 : 404);
  if (role) {
    const { needs } = kind === 'space' ? spaces : collections;
    expect(single.body.permissions).toEqual(flagsOf(needs, single.body.permissions, role));
    expect(listed).toEqual(single.body);
  } else expect(listed).toBeUndefined();
  if (kind === 'collection') return;
  const memberSpaces = await places.get(`${places.organization}/members/${person.id}/spaces?limit=1000`);
  const inMemberSpaces = memberSpaces.body.items.find(
    (item: { space: { id: string } }) => item.space.id === id,
  );
  expect(inMemberSpaces?.permission ?? null).toBe(role);
  const member = await places.get(`${places.organization}/members/${person.id}`);
  expect(member.body.spaces).toBe(memberSpaces.body.count);
}

describe('the effective role', () => {
  test.each(CASES)('%s | %s | %s | %s', async (role, defaults = '', grants = '', expected = '') => {
    const person = await aMember(app, side.organizationId, roleOf(role));
    const teams = await teamsOf(person);
    const outer = await places.aCollection();
    const inner = await places.aCollection(outer);
    const space = await places.aSpace(inner);
    const ids: Record<string, string> = { outer, inner, space };
    const [outerLevel = '.', innerLevel = '.', spaceLevel = '.'] = defaults.split(/\s+/);
    await setLevel('collections', outer, outerLevel);
    await setLevel('collections', inner, innerLevel);
    await setLevel('spaces', space, spaceLevel);
    for (const each of grants.split(/\s+/).filter(Boolean)) {
      const [place = '', grantee = '', given = ''] = each.split(':');
      const key = grantee === 'user' ? 'user_id' : 'team_id';
      const id = grantee === 'user' ? person.id : (teams[grantee] ?? '');
      await grant(place === 'space' ? 'space' : 'collection', ids[place] ?? '', key, id, given);
    }
    const [onOuter, onInner, onSpace] = expected.split(/\s+/).map(roleOf);
    await expectRole('collection', outer, person, onOuter ?? null);
    await expectRole('collection', inner, person, onInner ?? null);
    await expectRole('space', space, person, onSpace ?? null);
  });

  test('is tested in at least forty cases', () => expect(CASES.length).toBeGreaterThanOrEqual(40));
});

/** A naive implementation of decision 14, compared with the server on random data. */
interface Thing {
  readonly id: string;
  readonly kind: 'space' | 'collection';
  readonly parent: Thing | undefined;
  readonly level: string;
  readonly grants: Map<string, Role>;
}

function oracle(thing: Thing, orgRole: Role | null, grantees: readonly string[]): Role | null {
  if (orgRole === 'admin') return 'admin';
  for (let at: Thing | undefined = thing; at; at = at.parent) {
    const { grants } = at;
    const given = grantees.flatMap((each) => grants.get(each) ?? []);
    if (given.length > 0) return ROLES[Math.max(...given.map((role) => ROLES.indexOf(role)))] ?? null;
  }
  if (orgRole === null) return null;
  for (let at: Thing | undefined = thing; at; at = at.parent) if (at.level !== '.') return roleOf(at.level);
  return orgRole;
}

test('random grants and default levels result in the roles of decision 14', async () => {
  const roll = dice(14);
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
  const people = await Promise.all(
    [...ROLES, null, null, 'edit' as const].map(async (role) => ({
      person: await aMember(app, side.organizationId, role),
      role,
    })),
  );
  const teams = await Promise.all(
    ['a', 'b', 'c'].map(async (title) => {
      const members = people.filter(() => roll(2) === 0).map(({ person }) => person.id);
      const { body } = await places.call('PUT', `${places.organization}/teams`, { title, members });
      return { id: body.id as string, members };
    }),
  );
  const things: Thing[] = [];
  for (let count = 0; count < 40; count++) {
    const above = things.filter((thing) => thing.kind === 'collection');
    const parent = roll(5) === 0 ? undefined : pick(above);
    const kind = roll(2) === 0 ? 'space' : 'collection';
    const id = await (kind === 'space' ? places.aSpace(parent?.id) : places.aCollection(parent?.id)).catch(
      () => '',
    );
    if (!id) continue;
    const level = roll(2) === 0 ? '.' : pick(['0', ...ROLES]);
    await setLevel(`${kind}s`, id, level);
    const grants = new Map<string, Role>();
    for (let given = roll(4); given > 0; given--) {
      const team = roll(2) === 0;
      const grantee = team ? pick(teams).id : pick(people).person.id;
      if (grants.has(grantee)) continue;
      grants.set(grantee, pick(ROLES));
      await grant(kind, id, team ? 'team_id' : 'user_id', grantee, grants.get(grantee) ?? '');
    }
    things.push({ id, kind, parent, level, grants });
  }
  const items = async (path: string, token?: string) =>
    (await places.get(`${path}?limit=1000`, token)).body.items;
  for (const { person, role } of people) {
    const grantees = [
      person.id,
      ...teams.filter((team) => team.members.includes(person.id)).map(({ id }) => id),
    ];
    for (const kind of ['space', 'collection'] as const) {
      const listed = new Map<string, { permissions: object }>(
        (await items(`${places.organization}/${kind}s`, person.token)).map((item: { id: string }) => [
          item.id,
          item,
        ]),
      );
      for (const thing of things.filter((each) => each.kind === kind)) {
        const expected = oracle(thing, role, grantees);
        const shown = listed.get(thing.id)?.permissions;
        const { needs } = kind === 'space' ? spaces : collections;
        expect(shown).toEqual(expected ? flagsOf(needs, shown ?? {}, expected) : undefined);
      }
    }
  }
  for (const thing of things) {
    const everybody = await items(`/v1/${thing.kind}s/${thing.id}/permissions/aggregate`);
    for (const { person, role } of people) {
      const grantees = [
        person.id,
        ...teams.filter((team) => team.members.includes(person.id)).map(({ id }) => id),
      ];
      const found = everybody.find((item: { user: { id: string } }) => item.user.id === person.id);
      expect(found?.permission ?? null).toBe(oracle(thing, role, grantees));
    }
  }
});
