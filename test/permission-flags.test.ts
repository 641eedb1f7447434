import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { joinableOrganizations } from '../src/domains/organizations/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { ROLES } from '../src/domains/access/index.ts';
import { startApp, type TestApp } from './app.ts';
import { partOf } from './exhaustive.ts';
import { sampleOf, type Sample } from './sample.ts';
import { aMember, aWorld, type Person, type Side, type World } from './world.ts';

/** A `permissions` flag is a promise: a caller who sees true may do what it guards; one who sees false may not. */

let app: TestApp;
let world: World;
let side: Side;
let cells = 0;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  side = world.a;
});

afterAll(() => console.log(`flags: ${cells} cells`));

type ObjectSchema = { readonly properties?: Readonly<Record<string, ObjectSchema>> };

const flagsIn = ({ response }: NamedOperation) =>
  Object.keys((response as ObjectSchema | undefined)?.properties?.['permissions']?.properties ?? {});

/** The operation that returns a resource with its flags, by the name of the resource. */
const getters = new Map(
  operations.flatMap((operation) =>
    operation.method === 'GET' && operation.access.kind === 'target' && flagsIn(operation).length > 0
      ? [[operation.access.resource.name, operation] as const]
      : [],
  ),
);

const newText = () => ({ body: { markdown: 'Changed' } });
const newReaction = () => ({ addedReactions: ['👍'] });

/** Where the body, not `access`, requires the permission of the flag. */
const BY_BODY: Readonly<
  Record<string, readonly (readonly [id: string, change: (sample: Sample) => object])[]>
> = {
  'Organization.createContent': [
    ['createSpace', () => ({})],
    ['createCollection', () => ({})],
  ],
  'Organization.admin': [['createWebhook', ({ body }) => body as object]],
  'Space.admin': [
    ['updateSpaceById', () => ({ title: 'Renamed' })],
    ['moveSpace', ({ body }) => body as object],
  ],
  'Space.edit': [['startImportRun', ({ body }) => body as object]],
  'Collection.admin': [['moveCollection', ({ body }) => body as object]],
  'Collection.create': [
    ['createSpace', ({ body }) => ({ parent: (body as { parent: string }).parent })],
    ['createCollection', ({ body }) => ({ parent: (body as { parent: string }).parent })],
  ],
  'Comment.edit': [['updateCommentInSpace', newText]],
  'Change request comment.edit': [['updateCommentInChangeRequest', newText]],
  'Reply.edit': [['updateCommentReplyInSpace', newText]],
  'Reply.reply': [['updateCommentReplyInSpace', newReaction]],
  'Change request reply.edit': [['updateCommentReplyInChangeRequest', newText]],
  'Change request reply.reply': [['updateCommentReplyInChangeRequest', newReaction]],
  'Space.viewInviteLinks': [['createOrganizationInvite', ({ body }) => body as object]],
  'Collection.viewInviteLinks': [['createOrganizationInvite', ({ body }) => body as object]],
  'Integration.install': [['installIntegration', ({ body }) => body as object]],
  'Organization.installIntegration': [['installIntegration', ({ body }) => body as object]],
  'Space.installIntegration': [['installIntegrationOnSpace', ({ body }) => body as object]],
  'Site.installIntegration': [['installIntegrationOnSite', ({ body }) => body as object]],
};

const checkedByBody = new Set(Object.values(BY_BODY).flatMap((each) => each.map(([id]) => id)));

/**
 * Guarded by the flag, as `access` declares it. A resource and the same resource when deleted have one name; an
 * organization that the caller may join is not shown to them yet.
 */
const guardedBy = (name: string, flag: string) =>
  operations.filter(
    ({ id, access }) =>
      access.kind === 'target' &&
      access.resource.name === name &&
      access.resource !== joinableOrganizations &&
      access.action === flag &&
      !checkedByBody.has(id),
  );

/** The form of the body that names the resource. */
const FORMS: Readonly<Record<string, number>> = {
  'Space.viewInviteLinks': 1,
  'Collection.viewInviteLinks': 2,
};

/** Flags that guard operations of another name. */
const COVERED_BY_OTHERS: Readonly<Record<string, string>> = {
  'Space.access': 'reading content asks for view, which is the same role',
  'Organization.access': 'every operation asks for view, which is the same role',
  'Site.access': 'every operation asks for view, which is the same role',
  'Site.edit': 'the structure of a site is changed by its admins',
  'Site.create': 'as Site.edit',
  'Site.viewAdaptiveSchema': 'reading the schema asks for view, which is the same role',
  'Site.editAdaptiveSchema': 'changing the schema asks for admin, which is the same role',
  'Space.review': 'on the change requests of the space: tested there',
  'Space.merge': 'on the change requests of the space: tested there',
};

/** Flags for operations that are not implemented: false for everyone. */
const UNIMPLEMENTED: Readonly<Record<string, string>> = {
  'Organization.ingestConversations': 'integrations',
  'Organization.viewBilling': 'nothing: there is no bill on a self-hosted installation',
};

/** Shown on the organization, but about teams: tested separately below. */
const TESTED_SEPARATELY = ['Organization.ownTeam'];

const flags = [...getters].flatMap(([name, getter]) =>
  flagsIn(getter).map((flag) => [name, flag, getter] as const),
);

/** The flags of the target of a request, as shown to the caller; all false if the caller sees no target. */
async function flagOf(
  getter: NamedOperation,
  flag: string,
  sample: Sample,
  caller: Person,
): Promise<boolean> {
  if (getter.access.kind !== 'target') throw new Error(`${getter.id} has no target`);
  const { key } = getter.access.resource;
  const ids = new Map(sample.ids.map(({ id, reference }) => [reference.resource.key, id]));
  if (!ids.has(key)) throw new Error(`no ${key} in the sample of ${sample.method} ${sample.url}`);
  const properties = (getter.params as unknown as ObjectSchema).properties ?? {};
  const path = Object.keys(properties).reduce(
    (text, param) => text.replace(`{${param}}`, ids.get(keyOf(getter, param)) ?? side.organizationId),
    getter.path,
  );
  const { status, body } = await app.call('GET', path, { token: caller.token });
  return status === 200 && body.permissions[flag] === true;
}

const KEYS: Readonly<Record<string, string>> = {
  organizationId: 'organization_id',
  teamId: 'team_id',
  spaceId: 'space_id',
  collectionId: 'collection_id',
  changeRequestId: 'change_request_id',
  commentId: 'comment_id',
};
const keyOf = (getter: NamedOperation, param: string) =>
  KEYS[param] ?? (getter.access.kind === 'target' ? getter.access.resource.key : '');

async function createCallers(name: string): Promise<Person[]> {
  const roles = [...ROLES, null];
  const members = await Promise.all(roles.map((role) => aMember(app, side.organizationId, role)));
  return name === 'Organization' ? members : [...members, world.stranger];
}

describe.each(flags)('%s.%s', (name, flag, getter) => {
  const bodyCases = BY_BODY[`${name}.${flag}`] ?? [];
  const direct = guardedBy(name, flag).map((operation) => [operation.id, operation, undefined] as const);
  const byBody = bodyCases.flatMap(([id, change]) =>
    operations
      .filter((operation) => operation.id === id)
      .map((operation) => [id, operation, change] as const),
  );
  if (direct.length + byBody.length === 0) {
    test('guards no operation yet', () =>
      expect([
        ...Object.keys(COVERED_BY_OTHERS),
        ...Object.keys(UNIMPLEMENTED),
        ...TESTED_SEPARATELY,
      ]).toContain(`${name}.${flag}`));
    if (UNIMPLEMENTED[`${name}.${flag}`]) {
      test('is false, even for an admin', async () => {
        const sample = await sampleOf(app, getter, side);
        const { body } = await app.call('GET', sample.url, { token: side.admin.token });
        expect(body.permissions[flag]).toBe(false);
      });
    }
    return;
  }

  const guarded = [...direct, ...byBody].map((each, n) => [...each, n] as const);
  // Each caller with one of three operations: the access matrix has all callers of each.
  const parts = Math.min(3, guarded.length);
  test.each(guarded)('predicts access to %s', async (_id, operation, change, n) => {
    const form = FORMS[`${name}.${flag}`] ?? 0;
    let shared: Sample | undefined;
    for (const caller of partOf(await createCallers(name), parts, n)) {
      cells++;
      const sample = shared ?? (await sampleOf(app, operation, side, caller, { form }));
      // Reading has no effect.
      if (operation.method === 'GET') shared = sample;
      const body = change ? change(sample) : sample.body;
      const promised = await flagOf(getter, flag, sample, caller);
      const { status, text } = await app.call(
        sample.method,
        sample.method === 'GET' ? sample.bareUrl : sample.url,
        {
          token: caller.token,
          ...(body === undefined ? {} : { body }),
        },
      );
      if (promised) expect(status, text).toBe(operation.status);
      else expect([403, 404], text).toContain(status);
    }
  });
});

test('Organization.ownTeam and Team.admin: only an owner of a team manages it', async () => {
  const owner = await aMember(app, side.organizationId, 'read');
  const { token } = side.admin;
  const path = `/v1/orgs/${side.organizationId}`;
  const teams = await Promise.all(
    ['Own', 'Other'].map((title) => app.call('PUT', `${path}/teams`, { token, body: { title } })),
  );
  const [own = '', other = ''] = teams.map(({ body }) => body.id as string);
  await app.call('PUT', `${path}/teams/${own}/members/${owner.id}`, { token, body: { role: 'owner' } });
  const callAsOwner = (method: string, at: string, body?: object) =>
    app.call(method, at, { token: owner.token, ...(body ? { body } : {}) });

  expect((await callAsOwner('GET', path)).body.permissions).toMatchObject({ ownTeam: true, admin: false });
  for (const [id, may] of [
    [own, true],
    [other, false],
  ] as const) {
    expect((await callAsOwner('GET', `${path}/teams/${id}`)).body.permissions).toEqual({
      view: true,
      admin: may,
    });
    expect((await callAsOwner('PATCH', `${path}/teams/${id}`, { title: 'Renamed' })).status).toBe(
      may ? 200 : 403,
    );
    expect((await callAsOwner('DELETE', `${path}/teams/${id}`)).status).toBe(may ? 204 : 403);
  }
  expect((await callAsOwner('GET', path)).body.permissions.ownTeam).toBe(false);
});

test('every flag is tested, and no implemented one is listed as missing', () => {
  const unguarded = flags
    .map(([name, flag]) => `${name}.${flag}`)
    .filter((each) => {
      const [name = '', flag = ''] = each.split('.');
      return guardedBy(name, flag).length === 0 && !BY_BODY[each] && !TESTED_SEPARATELY.includes(each);
    });
  expect([...Object.keys(COVERED_BY_OTHERS), ...Object.keys(UNIMPLEMENTED)].toSorted()).toEqual(
    unguarded.toSorted(),
  );
  expect([...getters.keys()]).toEqual(
    expect.arrayContaining(['Space', 'Collection', 'Organization', 'Team']),
  );
});
