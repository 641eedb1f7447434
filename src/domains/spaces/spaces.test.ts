import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { countLockWaits } from '../../../test/lock-waits.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  places = placesOf(app, world.a);
});

const create = (body?: unknown, token?: string) =>
  places.call('POST', `${places.organization}/spaces`, body, token);
const patch = (id: string, body: unknown, token?: string) =>
  places.call('PATCH', `/v1/spaces/${id}`, body, token);
const rowOf = async (id: string) => (await app.sql('select * from spaces where id = $1', [id]))[0];
const FAMILY = '👨‍👩‍👧‍👦';

describe('creating a space', () => {
  test('without a body returns 201: untitled, locked, private and empty', async () => {
    const answer = await create();
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body;
    expect(answer.body).toEqual({
      object: 'space',
      id: expect.stringMatching(/^\w{20}$/),
      title: 'Untitled',
      emoji: '',
      visibility: 'private',
      createdAt: expect.any(String),
      updatedAt: answer.body.createdAt,
      editMode: 'locked',
      mergeRules: { type: 'inherit' },
      urls: { location: `http://octavo.test/v1/spaces/${id}`, app: `http://octavo.test/app/spaces/${id}` },
      organization: world.a.organizationId,
      revision: expect.stringMatching(/^\w{20}$/),
      defaultLevel: 'read',
      comments: 0,
      changeRequests: 0,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
      permissions: {
        view: true,
        access: true,
        admin: true,
        viewInviteLinks: true,
        edit: true,
        triggerGitSync: true,
        comment: true,
        merge: true,
        review: true,
        installIntegration: true,
      },
    });
    expect(answer.headers['location']).toBe(answer.body.urls.location);
    expect((await places.get(`/v1/spaces/${id}?shareKey=whatever`)).body).toEqual(answer.body);
  });

  test('accepts all fields', async () => {
    const parent = await places.aCollection();
    const given = { title: 'Guide', emoji: '📖', parent, language: 'pt-br', editMode: 'live' };
    expect((await create(given)).body).toMatchObject({ ...given, visibility: 'in-collection' });
  });

  test.each(['title', 'emoji'])(
    'accepts a %s of 50 characters and rejects 51, counted in code points',
    async (field) => {
      const id = await places.aSpace();
      for (const value of ['x'.repeat(50), '😀'.repeat(50), `${FAMILY.repeat(7)}x`, '']) {
        const made = await create({ [field]: value });
        expect([made.status, made.body[field]]).toEqual([
          201,
          field === 'title' ? value || 'Untitled' : value,
        ]);
        expect((await patch(id, { [field]: value })).body[field]).toBe(value);
      }
      const before = [await rowOf(id), await app.sql('select count(*) from spaces')];
      for (const value of ['x'.repeat(51), '😀'.repeat(51), FAMILY.repeat(8), 'tab\t', 7, ['x']]) {
        for (const answer of [await create({ [field]: value }), await patch(id, { [field]: value })]) {
          expectError(answer, 400);
          expect(detailsOf(answer)[0]).toContain(`body.${field}: `);
        }
      }
      expect([await rowOf(id), await app.sql('select count(*) from spaces')]).toEqual(before);
    },
  );

  test('returns 400 for invalid values, 404 for unknown parents', async () => {
    const before = await app.sql('select count(*) from spaces');
    for (const body of [{ language: 'tlh' }, { editMode: 'open' }, { parent: null }, { parent: 7 }, []])
      expectError(await create(body), 400);
    const foreign = await placesOf(app, world.b).aCollection();
    for (const parent of ['nothing', foreign]) expectError(await create({ parent }), 404);
    expect((await create({ unknown: true, visibility: 'public' })).body.visibility).toBe('private');
    const after = await app.sql('select count(*) from spaces');
    expect(Number(after[0]?.['count'])).toBe(Number(before[0]?.['count']) + 1);
  });
});

describe('changing a space', () => {
  test('updates only the given fields and increments the version', async () => {
    const id = await places.aSpace();
    const before = await rowOf(id);
    const answer = await patch(id, {
      title: 'New',
      unknown: 1,
      organization: world.b.organizationId,
      position: 'a9',
    });
    expect(answer.body.title).toBe('New');
    const { title, version, updated_at: updatedAt, ...rest } = (await rowOf(id)) ?? {};
    expect({ title, version }).toEqual({ title: 'New', version: 2 });
    expect(Number(updatedAt)).toBeGreaterThanOrEqual(Number(before?.['updated_at']));
    expect(before).toMatchObject(rest);
  });

  test('sets an emoji or an icon, which replace each other', async () => {
    const id = await places.aSpace();
    const icon = 'https://pictures.example/a.png';
    expect((await patch(id, { emoji: '📖' })).body).toMatchObject({ emoji: '📖' });
    const withIcon = (await patch(id, { icon })).body;
    expect([withIcon.emoji, withIcon.urls.icon]).toEqual(['', icon]);
    const withEmoji = (await patch(id, { emoji: '📖' })).body;
    expect([withEmoji.emoji, withEmoji.urls.icon]).toEqual(['📖', undefined]);
    const none = (await patch(id, { emoji: null, icon: null })).body;
    expect([none.emoji, none.urls.icon]).toEqual(['', undefined]);
    for (const bad of [
      'javascript:alert(1)',
      'ftp://x.example/',
      'data:image/png;base64,AA',
      `https://x.example/${'a'.repeat(2048)}`,
    ])
      expectError(await patch(id, { icon: bad }), 400);
  });

  test('requires create for editMode, admin for everything else', async () => {
    const id = await places.aSpace();
    const guest = await aMember(app, world.a.organizationId, null);
    await grantOn(app, guest, 'create', [id]);
    expect((await patch(id, { editMode: 'live' }, guest.token)).body.editMode).toBe('live');
    expect((await patch(id, {}, guest.token)).status).toBe(200);
    for (const body of [
      { title: 'x' },
      { editMode: 'locked', emoji: 'x' },
      { visibility: 'public' },
      { defaultLevel: 'admin' },
      { language: 'en' },
    ])
      expectError(await patch(id, body, guest.token), 403, /editMode/);
    expectError(await patch(id, { editMode: 'locked' }, world.a.people.review.token), 403);
    expect((await places.get(`/v1/spaces/${id}`)).body).toMatchObject({ editMode: 'live', title: 'Space' });
    expectError(await patch(id, { editMode: 'open' }), 400);
  });

  test('refuses merge rules of more than 8 kB', async () => {
    const id = await places.aSpace();
    const rulesOf = (users: number) => ({
      type: 'rules',
      rules: [100, 100, 100, users].map((length) => ({
        rule: 'allow_bypass',
        users: Array.from({ length }, () => world.a.admin.id),
      })),
    });
    expect((await patch(id, { mergeRules: rulesOf(20) })).status).toBe(200);
    expectError(await patch(id, { mergeRules: rulesOf(100) }), 400, /body\.mergeRules.*8 kB/);
    expectError(await places.call('PATCH', places.organization, { mergeRules: rulesOf(100) }), 400, /8 kB/);
  });

  const rules = { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] };
  const setRules = (mergeRules: object) => places.call('PATCH', places.organization, { mergeRules });

  test.each(['space', 'organization'])(
    'requires admin for editMode also if merge rules of the %s are set meanwhile',
    async (level) => {
      const creator = await aMember(app, world.a.organizationId, 'create');
      const id = await places.aSpace();
      onTestFinished(async () => void (await setRules({ type: 'none' })));
      const { asked } = await app.app.installation.connection.db.transaction().execute(async (db) => {
        const own = level === 'space' ? { merge_rules: JSON.stringify(rules) } : { title: 'Locked' };
        await db.updateTable('spaces').set(own).where('id', '=', id).execute();
        const asking = patch(id, { editMode: 'live' }, creator.token);
        await expect.poll(() => countLockWaits(app)).toBe(1);
        if (level === 'organization') await setRules(rules);
        return { asked: asking };
      });
      expectError(await asked, 403, /merge rules/);
    },
  );

  test('requires admin for editMode where merge rules of the space or its organization apply', async () => {
    const creator = await aMember(app, world.a.organizationId, 'create');
    const own = await places.aSpace();
    await patch(own, { mergeRules: rules });
    const inheriting = await places.aSpace();
    const free = await places.aSpace();
    await patch(free, { mergeRules: { type: 'none' } });
    try {
      await setRules(rules);
      for (const id of [own, inheriting]) {
        for (const editMode of ['live', 'locked'])
          expectError(await patch(id, { editMode }, creator.token), 403, /merge rules/);
        expect((await patch(id, { editMode: 'live' })).body.editMode).toBe('live');
      }
      expect((await patch(free, { editMode: 'live' }, creator.token)).status).toBe(200);
    } finally {
      await setRules({ type: 'none' });
    }
    expect((await patch(inheriting, { editMode: 'locked' }, creator.token)).status).toBe(200);
    expectError(await patch(own, { editMode: 'locked' }, creator.token), 403);
  });

  test('sets visibility, or inherits it, without granting a role', async () => {
    const parent = await places.aCollection();
    const id = await places.aSpace();
    const shown = async () => (await places.get(`/v1/spaces/${id}`)).body.visibility;
    expectError(await patch(id, { visibility: 'in-collection' }), 400);
    expect(await shown()).toBe('private');
    await places.move(id, {}, parent);
    expect(await shown()).toBe('in-collection');
    for (const visibility of [
      'public',
      'unlisted',
      'share-link',
      'visitor-auth',
      'private',
      'in-collection',
    ]) {
      expect((await patch(id, { visibility })).body.visibility).toBe(visibility);
      expectError(await places.get(`/v1/spaces/${id}`, world.a.people.guest.token), 404);
      expectError(await places.get(`/v1/spaces/${id}`, world.b.admin.token), 404);
    }
    // `in-collection` needs a collection; in the root, the space becomes private.
    await places.move(id, {}, null);
    expect(await shown()).toBe('private');
    expectError(await patch(id, { visibility: 'secret' }), 400);
    await patch(id, { visibility: 'public' });
    await places.move(id, {}, parent);
    expect(await shown()).toBe('public');
  });
});
