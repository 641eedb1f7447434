import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adaptiveSites } from '../src/domains/adaptive-schema/policy.ts';
import { collections } from '../src/domains/collections/index.ts';
import { primaryContent } from '../src/domains/content/policy.ts';
import { customizedSites } from '../src/domains/customization/policy.ts';
import { operations } from '../src/domains/index.ts';
import { requestTargets } from '../src/domains/imports/policy.ts';
import { publishedSites } from '../src/domains/publishing/policy.ts';
import { revalidatedSites } from '../src/domains/revalidation/policy.ts';
import { sites } from '../src/domains/sites/policy.ts';
import { spaces, spacesAndDeleted } from '../src/domains/spaces/policy.ts';
import { insertToken } from '../src/domains/users/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import type { Resource } from '../src/platform/api/resource.ts';
import { ROLES, type Role } from '../src/domains/access/index.ts';
import { parseAccessTable, writeAccessTable, type AccessTable } from './access-table.ts';
import { startApp, type Call, type TestApp } from './app.ts';
import { IS_EXHAUSTIVE } from './exhaustive.ts';
import { committed, expectGenerated, isGenerating } from './generated.ts';
import { formsWithIds, sampleOf, type Sample } from './sample.ts';
import { aMember, aWorld, grantOn, type Person, type Side, type World } from './world.ts';

/**
 * Who may call what: test/access-table.txt has the status that each operation answers to each caller. It is written by
 * hand or by `npm run generate`, and reviewed: the program is not asked what is right.
 */
const FILE = 'test/access-table.txt';
const pinned = parseAccessTable(committed(FILE));
const found: AccessTable = new Map();

/** The relation of a caller to the organization that the ids of a request belong to. */
interface Standing {
  /** Role in the organization; null is a guest, undefined is not a member. */
  readonly role: Role | null | undefined;
  /** Role on the spaces, collections and sites of the request, if it differs from the role in the organization. */
  readonly grantedRole?: Role | null;
}

interface Caller {
  readonly name: string;
  readonly call: Pick<Call, 'token' | 'headers'>;
  /** Undefined: the token is invalid. */
  readonly standing?: Standing;
  readonly person?: Person;
}

/** What to send in addition to the sample of an operation. */
interface Variant {
  readonly name: string;
  readonly form?: number;
  /** Replaces the one of the sample. */
  readonly body?: Record<string, unknown>;
  /** The space is live, where a deleted one would be valid, too. */
  readonly isLive?: boolean;
}

const EXTRA: Readonly<Record<string, Variant>> = {
  createSpace: { name: 'at the root', body: {} },
  createCollection: { name: 'at the root', body: {} },
  moveSpace: { name: 'to the root', body: { parent: null } },
  moveCollection: { name: 'to the root', body: { parent: null } },
  updateSpaceById: { name: 'edit mode alone', body: { editMode: 'live' } },
  updateCommentInSpace: { name: 'resolving alone', body: { resolved: true } },
  updateCommentInChangeRequest: { name: 'a reaction alone', body: { addedReactions: ['👍'] } },
  updateCommentReplyInSpace: { name: 'a reaction alone', body: { addedReactions: ['👍'] } },
};

function variantsOf(operation: NamedOperation): Variant[] {
  const extra = EXTRA[operation.id];
  const acceptsDeleted = operation.access.kind === 'target' && operation.access.resource === spacesAndDeleted;
  return [
    ...Array.from({ length: formsWithIds(operation) }, (_, form) => ({ name: `form ${form}`, form })),
    ...(extra ? [extra] : []),
    ...(acceptsDeleted ? [{ name: 'live', isLive: true }] : []),
  ];
}

const PLACES: ReadonlySet<Resource> = new Set<Resource>([
  spaces,
  spacesAndDeleted,
  primaryContent,
  requestTargets,
  collections,
  sites,
  customizedSites,
  publishedSites,
  adaptiveSites,
  revalidatedSites,
]);
const isPlaced = (resource: Resource): boolean =>
  PLACES.has(resource) || (resource.within !== undefined && isPlaced(resource.within));

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

/** The status that a caller gets; of a list, also the one without its filters, which may exclude every row. */
async function cell(
  operation: NamedOperation,
  side: Side,
  caller: Caller,
  shared: Sample,
  variant: Variant,
  expected: string | undefined,
): Promise<string> {
  const isShared = !operation.body || !shared.ids.some((id) => id.reference.crossTenant) || !caller.person;
  let sample = isShared ? shared : await newSample(operation, side, caller.person ?? side.admin, variant);
  // A request that takes effect needs rows of its own.
  if (isShared && operation.method !== 'GET' && (expected === undefined || expected < '300'))
    sample = await newSample(operation, side, side.admin, variant);
  await prepare(caller, sample);
  const status = await statusOf(side, caller, sample);
  if (operation.method !== 'GET' || !sample.url.includes('?')) return String(status);
  return `${status}/${await statusOf(side, caller, sample, sample.bareUrl)}`;
}

/**
 * The callers to try. Who is refused, always. Of those who are answered, the first, who has the least role that suffices and
 * from whom most is hidden; and one more.
 */
function triedOf(expected: ReadonlyMap<string, string>, n: number): Caller[] {
  if (IS_EXHAUSTIVE || isGenerating) return [...callers];
  const isAccepted = ({ name }: Caller) => (expected.get(name) ?? '') < '300';
  const members = callers.filter((each) => isAccepted(each) && !each.standing?.grantedRole);
  const granted = callers.filter((each) => isAccepted(each) && each.standing?.grantedRole);
  const tried = new Set([members, granted].flatMap((of) => [of[0], of[n % of.length]]));
  return callers.filter((each) => !isAccepted(each) || tried.has(each));
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
      const row = `${operation.id}, ${variant.name}`;
      const expected = pinned.get(row) ?? new Map<string, string>();
      const actual = new Map<string, string>();
      const ask = async (of: Side, caller: Caller, sample: Sample) =>
        actual.set(
          caller.name,
          await cell(operation, of, caller, sample, variant, expected.get(caller.name)),
        );
      const tried = triedOf(expected, operations.indexOf(operation));
      for (const caller of callers) {
        if (caller.standing?.grantedRole && !hasPlaces) continue;
        if (tried.includes(caller)) await ask(a, caller, shared);
        else actual.set(caller.name, expected.get(caller.name) ?? '');
      }
      await ask(a, await foreigner(b, operation), shared);
      const mirrored = await newSample(operation, b, b.admin, variant);
      await ask(b, await foreigner(a, operation), mirrored);
      if (hasPlaces) await ask(a, locked, shared);
      found.set(row, actual);
      if (!isGenerating) expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
      await app.sql(`update organizations set title = 'alpha marker-alpha' where id = $1`, [
        a.organizationId,
      ]);
    },
  );
});

test('every row of the table belongs to an operation, and every variant', () => {
  const known = new Set(operations.map(({ id }) => id));
  expect(Object.keys(EXTRA).filter((id) => !known.has(id))).toEqual([]);
  // Not where a part of the tests is run.
  if (found.size === variantCount) expectGenerated(FILE, writeAccessTable(found));
});

const variantCount = operations.reduce((count, operation) => count + variantsOf(operation).length, 0);
