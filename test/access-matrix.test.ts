import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { spacesAndDeleted } from '../src/domains/spaces/policy.ts';
import { insertToken } from '../src/domains/users/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { ROLES } from '../src/domains/access/index.ts';
import {
  EXTRA,
  expectedOf,
  isPlaced,
  RULES,
  variantsOf,
  type Caller,
  type Standing,
  type Variant,
} from './access-table.ts';
import { startApp, type TestApp } from './app.ts';
import { sampleOf, type Sample } from './sample.ts';
import { aMember, aWorld, grantOn, type Person, type Side, type World } from './world.ts';

let app: TestApp;
let world: World;
let callers: readonly Caller[];
let locked: Caller;
let cells = 0;

async function newSample(
  operation: NamedOperation,
  side: Side,
  caller: Person,
  variant: Variant,
): Promise<Sample> {
  const sample = await sampleOf(app, operation, side, caller, { form: variant.form ?? 0 });
  if (variant.isLive) {
    const deleted = sample.ids.filter((id) => id.reference.resource === spacesAndDeleted).map(({ id }) => id);
    await app.sql('update spaces set deleted_at = null where id = any($1)', [deleted]);
  }
  if (!variant.body) return sample;
  return { ...sample, body: variant.body, ids: sample.ids.filter((id) => id.place !== 'body') };
}

const placedIds = (sample: Sample) => {
  const of = (key: string) =>
    sample.ids
      .filter(({ reference: { resource } }) => resource.key === key && isPlaced(resource))
      .map(({ id }) => id);
  return { spaceIds: of('space_id'), collectionIds: of('collection_id'), siteIds: of('site_id') };
};

/** Gives the caller the role and grants of the cell, on the targets of the request. */
async function prepare(caller: Caller, sample: Sample): Promise<void> {
  const grantedRole = caller.standing?.grantedRole;
  const { spaceIds, collectionIds, siteIds } = placedIds(sample);
  if (grantedRole && caller.person) {
    // Site spaces are visible to those who may view their spaces.
    const shown = await app.sql('select space_id from site_spaces where site_id = any($1)', [siteIds]);
    const viewed = [...spaceIds, ...shown.map((row) => String(row['space_id']))];
    await grantOn(app, caller.person, grantedRole, viewed, collectionIds, siteIds);
  }
  if (grantedRole === null) {
    for (const [table, ids] of [
      ['spaces', spaceIds],
      ['collections', collectionIds],
    ] as const) {
      const text = `update ${table} set title = 'hidden-alpha', default_inherits = false, default_level = null where id = any($1)`;
      await app.sql(text, [ids]);
    }
  }
}

async function statusOf(side: Side, caller: Caller, sample: Sample, url = sample.url): Promise<number> {
  cells++;
  const answer = await app.call(sample.method, url, {
    ...caller.call,
    ...(sample.body === undefined ? {} : { body: sample.body }),
  });
  const { role, grantedRole } = caller.standing ?? { role: undefined };
  const isMember = (each: Side) => role !== undefined && each === side;
  for (const each of [world.a, world.b]) {
    // Nothing of another organization; of their own organization, no title of a row that they may not view.
    const isForeign = each !== side ? role !== undefined : role === undefined;
    if (isForeign) expect(answer.text, `${caller.name} ${url}`).not.toContain(`marker-${each.name}`);
    if (isMember(each) && role !== 'admin') expect(answer.text, url).not.toContain(`hidden-${each.name}`);
    if (isMember(each) && role === null && !grantedRole)
      expect(answer.text, url).not.toMatch(/(Of|In|Deleted) marker-/);
  }
  return answer.status;
}

/** One cell: the caller, the actual status and the expected status. */
async function cell(operation: NamedOperation, side: Side, caller: Caller, shared: Sample, variant: Variant) {
  const isShared = !operation.body || !shared.ids.some((id) => id.reference.crossTenant) || !caller.person;
  let sample = isShared ? shared : await newSample(operation, side, caller.person ?? side.admin, variant);
  const standing = caller.standing && {
    isOwner: !isShared || caller.person === side.admin,
    ...caller.standing,
  };
  const owner = standing ? { ...caller, standing } : caller;
  const body = (sample.body ?? {}) as object;
  const expected = expectedOf(operation, owner, sample.ids, body, variant);
  if (isShared && expected < 300 && operation.method !== 'GET')
    sample = await newSample(
      operation,
      side,
      standing?.isOwner ? side.admin : (caller.person ?? side.admin),
      variant,
    );
  await prepare(caller, sample);
  const actual = await statusOf(side, caller, sample);
  if (operation.method !== 'GET' || !sample.url.includes('?')) return { expected, actual };
  // Lists again without filters, which may exclude every row.
  const withoutQuery = sample.ids.filter((id) => id.place !== 'query');
  return {
    expected: [expected, expectedOf(operation, owner, withoutQuery, body, variant)],
    actual: [actual, await statusOf(side, caller, sample, sample.bareUrl)],
  };
}

/** A user of the other organization; a new one where the first could gain access. */
async function foreigner(of: Side, operation: NamedOperation): Promise<Caller> {
  const isOpen = operation.access.kind === 'target' && operation.access.resource.isOpen;
  const person = isOpen ? await aMember(app, of.organizationId, 'admin') : of.admin;
  return {
    name: `admin of ${of.name}`,
    call: { token: person.token },
    person,
    standing: { role: undefined },
  };
}

async function plantHidden(side: Side): Promise<void> {
  const { token } = side.admin;
  const body = { title: `hidden-${side.name} marker-${side.name}` };
  for (const kind of ['collections', 'spaces', 'spaces']) {
    const { body: created } = await app.call('POST', `/v1/orgs/${side.organizationId}/${kind}`, {
      token,
      body,
    });
    await app.call('PATCH', `/v1/${kind}/${created.id}`, { token, body: { defaultLevel: null } });
  }
  await app.sql(
    `update spaces set deleted_at = now()
     where id = (select id from spaces where organization_id = $1 order by position desc limit 1)`,
    [side.organizationId],
  );
}

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  const { a, b } = world;
  for (const side of [a, b]) await plantHidden(side);
  const { db } = app.app.installation.connection;
  const revoked = await insertToken(db, a.admin.id, { label: 'Revoked' });
  await app.call('DELETE', `/v1/user/tokens/${revoked.row.token_id}`, { token: revoked.token });
  const expiresAt = new Date(Date.now() - 1000).toISOString();
  const expired = await insertToken(db, a.admin.id, { label: 'Expired', expiresAt });
  const granted = await Promise.all(ROLES.map(() => aMember(app, a.organizationId, null, 'granted')));
  const member = (name: string, person: Person, standing: Standing): Caller => ({
    name,
    call: { token: person.token },
    person,
    standing,
  });
  callers = [
    { name: 'none', call: {} },
    { name: 'malformed', call: { token: 'ov_malformed' } },
    { name: 'revoked', call: { token: revoked.token } },
    { name: 'expired', call: { token: expired.token } },
    member('guest', a.people.guest, { role: null }),
    ...ROLES.map((role) => member(role, a.people[role], { role })),
    ...ROLES.map((role, index) =>
      member(`guest with ${role}`, granted[index] as Person, { role: null, grantedRole: role }),
    ),
  ];
  locked = member('member locked out', await aMember(app, a.organizationId, 'edit'), {
    role: 'edit',
    grantedRole: null,
  });
});

afterAll(() => console.log(`access matrix: ${cells} cells over ${operations.length} operations`));

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  test.each(variantsOf(operation).map((variant) => [variant.name, variant] as const))(
    '%s',
    async (_name, variant) => {
      const { a, b } = world;
      const shared = await newSample(operation, a, a.admin, variant);
      const { spaceIds, collectionIds, siteIds } = placedIds(shared);
      const hasPlaces = spaceIds.length + collectionIds.length + siteIds.length > 0;
      const table: Record<string, { expected: unknown; actual: unknown }> = {};
      for (const caller of [...callers, await foreigner(b, operation)]) {
        if (!caller.standing?.grantedRole || hasPlaces)
          table[caller.name] = await cell(operation, a, caller, shared, variant);
      }
      const mirrored = await newSample(operation, b, b.admin, variant);
      const stranger = await foreigner(a, operation);
      table[stranger.name] = await cell(operation, b, stranger, mirrored, variant);
      if (hasPlaces) table[locked.name] = await cell(operation, a, locked, shared, variant);

      const column = (key: 'expected' | 'actual') =>
        Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row[key]]));
      expect(column('actual')).toEqual(column('expected'));
      await app.sql(`update organizations set title = 'alpha marker-alpha' where id = $1`, [
        a.organizationId,
      ]);
    },
  );
});

test('every rule and variant belongs to an operation', () => {
  const known = new Set(operations.map(({ id }) => id));
  expect([...Object.keys(RULES), ...Object.keys(EXTRA)].filter((id) => !known.has(id))).toEqual([]);
});
