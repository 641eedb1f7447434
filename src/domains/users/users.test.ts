import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { whileTimeIsLeft } from '../../../test/expiry.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aMember, aPerson, aWorld, type Person, type World } from '../../../test/world.ts';
import { setDisabled } from './store.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

const FAMILY = '👨‍👩‍👧‍👦';
const get = (path: string, token: string) => app.call('GET', path, { token });

describe('GET /v1/user', () => {
  test('returns the caller with all required fields', async () => {
    const { id, email, token } = world.a.people.edit;
    const { status, body } = await get('/v1/user', token);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'user',
      id,
      displayName: 'alpha-edit',
      email,
      photoURL: expect.stringMatching(/^http:\/\/octavo\.test\/avatars\//),
      urls: { location: `http://octavo.test/v1/users/${id}` },
    });
    expect((await get(`/v1/users/${id}`, token)).body).toEqual(body);
  });
});

describe('GET /v1/users/{userId}', () => {
  test('returns people of the same organization, guests included', async () => {
    const { admin, read, guest } = world.a.people;
    for (const [viewer, viewed] of [
      [admin, read],
      [read, admin],
      [admin, guest],
      [guest, read],
      [world.stranger, world.stranger],
    ] as const) {
      const answer = await get(`/v1/users/${viewed.id}`, viewer.token);
      expect(answer.status).toBe(200);
      expect(answer.body.id).toBe(viewed.id);
    }
  });

  test('returns 400 for an invalid id', async () => {
    expectError(await get('/v1/users/not%20an%20id', world.a.admin.token), 400);
    expectError(await get(`/v1/users/${encodeURIComponent(world.a.admin.email)}`, world.a.admin.token), 400);
  });

  test('returns 404 for everyone else', async () => {
    expectError(await get(`/v1/users/${world.b.admin.id}`, world.a.admin.token), 404);
    expectError(await get(`/v1/users/${world.a.admin.id}`, world.stranger.token), 404);
    expectError(await get(`/v1/users/${world.stranger.id}`, world.a.admin.token), 404);
    expectError(await get('/v1/users/nobody', world.a.admin.token), 404);
  });

  test('returns 404 once the two share no organization', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, 'read');
    const { read } = world.a.people;
    expect((await get(`/v1/users/${id}`, read.token)).status).toBe(200);
    expect((await get(`/v1/users/${read.id}`, token)).status).toBe(200);
    await app.call('DELETE', `/v1/orgs/${world.a.organizationId}/members/${id}`, {
      token: world.a.admin.token,
    });
    expectError(await get(`/v1/users/${id}`, read.token), 404);
    expectError(await get(`/v1/users/${read.id}`, token), 404);
    expect((await get(`/v1/users/${id}`, token)).status).toBe(200);
  });

  test('returns 404 to a caller whose membership is disabled', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, 'edit');
    await app.sql('update members set disabled = true where user_id = $1', [id]);
    expectError(await get(`/v1/users/${world.a.admin.id}`, token), 404);
    expectError(await get(`/v1/orgs/${world.a.organizationId}`, token), 404);
  });
});

describe('PATCH /v1/users/{userId}', () => {
  const patch = (person: Person, body: unknown, token = person.token) =>
    app.call('PATCH', `/v1/users/${person.id}`, { token, body });

  test('changes the given fields, visible to everyone', async () => {
    const { create: me, read: colleague } = world.a.people;
    const before = (await get(`/v1/users/${me.id}`, colleague.token)).body;
    const renamed = await patch(me, { displayName: 'Ada Lovelace' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({
      ...before,
      displayName: 'Ada Lovelace',
      photoURL: expect.stringContaining('-AL.svg'),
    });
    const pictured = await patch(me, { photoURL: 'https://pictures.example/ada.png?size=64' });
    expect(pictured.body).toMatchObject({
      displayName: 'Ada Lovelace',
      photoURL: 'https://pictures.example/ada.png?size=64',
    });
    expect((await get(`/v1/users/${me.id}`, colleague.token)).body).toEqual(pictured.body);
    expect((await get('/v1/user', me.token)).body).toEqual(pictured.body);
    expect((await patch(me, {})).body).toEqual(pictured.body);
  });

  test('accepts names of 1 to 64 characters, counted in code points', async () => {
    const me = world.a.people.review;
    for (const displayName of [
      'x',
      'x'.repeat(64),
      '😀'.repeat(64),
      `${FAMILY.repeat(9)}x`,
      'é'.repeat(64),
    ]) {
      const answer = await patch(me, { displayName });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.displayName).toBe(displayName);
    }
    for (const displayName of [
      '',
      'x'.repeat(65),
      '😀'.repeat(65),
      FAMILY.repeat(10),
      'a\nb',
      'a\u0000',
      null,
      7,
    ]) {
      const answer = await patch(me, { displayName });
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body\.displayName: /);
    }
  });

  test('returns 400 for a picture that is not a web URL', async () => {
    for (const photoURL of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '//x.example/a',
      'a.png',
      '',
      `https://x.example/${'x'.repeat(2048)}`,
    ]) {
      expectError(await patch(world.a.people.review, { photoURL }), 400);
    }
  });

  test('returns 403 for another user, also to an admin; 404 for users who are not visible', async () => {
    expectError(await patch(world.a.people.read, { displayName: 'x' }, world.a.admin.token), 403);
    expectError(await patch(world.b.admin, { displayName: 'x' }, world.a.admin.token), 404);
  });
});

describe('the default picture of a user', () => {
  test.each([
    'Ada Lovelace',
    'plato',
    '李 小龍',
    '😀 👨‍👩‍👧‍👦',
    '<b> "&"',
    "'; --",
    '/ ../..',
    '% ?',
    '#hash .',
    '   x   ',
    'ß ŉ',
    '\u202eab cd',
  ])('is generated for %j', async (displayName) => {
    const { id, token } = await aPerson(app, 'pictured');
    const { body } = await app.call('PATCH', `/v1/users/${id}`, { token, body: { displayName } });
    const { pathname, origin } = new URL(body.photoURL);
    expect(origin).toBe('http://octavo.test');
    const picture = await app.call('GET', pathname);
    expect(picture.status, pathname).toBe(200);
    expect(picture.headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(picture.headers['cache-control']).toContain('immutable');
    expect(picture.headers['content-security-policy']).toContain("default-src 'none'");
    expect(picture.headers['x-content-type-options']).toBe('nosniff');
    // One text element whose content is escaped.
    const [, initials] = /<text[^>]*>([^<]*)<\/text><\/svg>$/.exec(picture.text) ?? [];
    expect(initials).toMatch(/^([^&<>"']|&#\d+;)+$/);
  });

  test('contains no script, whatever its URL', async () => {
    for (const name of ['<script>', '"onload="', '</svg>', '&lt;x&gt;']) {
      const { status, text } = await app.call('GET', `/avatars/12-${encodeURIComponent(name)}.svg`);
      if (status === 200) expect(text.replace(/<\/?(svg|rect|text)[^>]*>/g, '')).not.toMatch(/[<>"]/);
    }
    for (const name of ['x', '1-.svg', '1-toolongtobeinitials.svg', '1234-AB.svg', '-1-AB.svg', '1-AB.png']) {
      expect((await app.call('GET', `/avatars/${name}`)).status, name).toBe(404);
    }
  });
});

describe('POST /v1/user/tokens', () => {
  const create = (body: unknown, token = world.a.admin.token) =>
    app.call('POST', '/v1/user/tokens', { token, body });

  test('returns the token once, with at least 160 random bits and a recognizable prefix', async () => {
    const { status, body } = await create({ label: 'Robot' });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'user-token',
      id: expect.stringMatching(/^\w{20}$/),
      label: 'Robot',
      createdAt: expect.any(String),
      token: expect.stringMatching(/^ov_[0-9A-Za-z]{38}$/),
    });
    const again = await get(`/v1/user/tokens/${body.id}`, world.a.admin.token);
    const list = await get('/v1/user/tokens?limit=1000', world.a.admin.token);
    const { token, ...rest } = body;
    expect(again.body).toEqual(rest);
    expect(list.body.items).toContainEqual(rest);
    expect(again.text + list.text).not.toContain(token.slice(3));
    expect((await get('/v1/user', token)).body.id).toBe(world.a.admin.id);
  });

  test('stores only the hash of the token', async () => {
    const { body } = await create({ label: 'Hidden' });
    const rows = await app.sql('select *, encode(hash, $1) as hex from tokens where id = $2', [
      'hex',
      body.id,
    ]);
    expect(rows[0]?.['hex']).toBe(createHash('sha256').update(body.token).digest('hex'));
    const tables =
      await app.sql(`select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`);
    for (const { name } of tables) {
      const found = await app.sql(`select 1 from ${String(name)} t where t::text like $1`, [
        `%${body.token.slice(3)}%`,
      ]);
      expect(found, String(name)).toEqual([]);
    }
  });

  test('never returns the same token twice', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ label: 'Same' })));
    expect(new Set(made.map(({ body }) => body.token)).size).toBe(20);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(20);
  });

  test('creates a token that is valid until it expires', async () => {
    const body = await whileTimeIsLeft(async (expires) => {
      const made = (await create({ label: 'Short', expiresAt: expires.toISOString() })).body;
      expect(made.expiresAt).toBe(expires.toISOString());
      expect((await get('/v1/user', made.token)).status).toBe(200);
      return made;
    });
    expectError(await get('/v1/user', body.token), 401);
    expect((await get(`/v1/user/tokens/${body.id}`, world.a.admin.token)).status).toBe(200);
  });

  test('is refused while its owner is disabled', async () => {
    const { id, token } = await aPerson(app, 'Off');
    const { db } = app.app.installation.connection;
    await setDisabled(db, id, true);
    expectError(await get('/v1/user', token), 401);
    await setDisabled(db, id, false);
    await expect.poll(async () => (await get('/v1/user', token)).status).toBe(200);
  });

  test('accepts any time zone and returns UTC', async () => {
    const { body, status } = await create({ label: 'Zoned', expiresAt: '2099-01-31T12:00:00.5+02:00' });
    expect(status).toBe(201);
    expect(body.expiresAt).toBe('2099-01-31T10:00:00.500Z');
  });

  test('returns 400 for an expiry that is past or invalid', async () => {
    const past = await create({ label: 'Past', expiresAt: '2020-01-01T00:00:00Z' });
    expectError(past, 400);
    expect(detailsOf(past)).toEqual(['body.expiresAt: must be in the future']);
    for (const expiresAt of [
      'tomorrow',
      '2099-01-01',
      '2099-02-30T00:00:00Z',
      '2099-01-01T25:00:00Z',
      '2099-12-31T23:59:60Z',
      '2099-01-01T00:00:00+99:99',
      '2099-01-01T00:00:00+24:00',
      '2099-01-01T00:00:00+16:00',
      '2099-01-01T00:00:00-23:59',
      '12099-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      4_102_444_800,
      null,
      '',
    ]) {
      const answer = await create({ label: 'Odd', expiresAt });
      expect(answer.status, `${expiresAt} ${answer.text}`).toBe(400);
    }
  });

  test('returns 400 for a label not of 1 to 50 characters', async () => {
    for (const label of ['x', '😀'.repeat(50)]) expect((await create({ label })).status).toBe(201);
    for (const label of ['', 'x'.repeat(51), '😀'.repeat(51), 'a\tb', 7])
      expectError(await create({ label }), 400);
    expectError(await create({}), 400);
  });

  test('returns 400 for empty, unknown or repeated scopes', async () => {
    for (const scopes of [
      [],
      ['space:fly'],
      ['user:read', 'user:read'],
      'user:read',
      [null],
      ['*'],
      ['user:*'],
    ]) {
      expectError(await create({ label: 'Scoped', scopes }), 400);
    }
    const { body } = await create({ label: 'Scoped', scopes: ['user:read', 'space:read'] });
    expect(body.scopes).toEqual(['user:read', 'space:read']);
  });

  test('returns 403 with a limited token', async () => {
    const { body } = await create({ label: 'Limited', scopes: ['user:read', 'organization:write'] });
    expectError(await create({ label: 'More' }, body.token), 403, /without scopes/);
  });
});

describe('GET /v1/user/tokens', () => {
  test('lists only the caller’s tokens, in order of creation', async () => {
    const { token } = await aPerson(app, 'holder');
    for (const label of ['One', 'Two', 'Three']) {
      await app.call('POST', '/v1/user/tokens', { token, body: { label } });
    }
    const { body } = await get('/v1/user/tokens', token);
    expect(body.items.map((item: { label: string }) => item.label)).toEqual(['Test', 'One', 'Two', 'Three']);
    expect(body.count).toBe(4);
  });
});

describe('GET and DELETE /v1/user/tokens/{tokenId}', () => {
  const aToken = async (owner: Person) =>
    (await app.call('POST', '/v1/user/tokens', { token: owner.token, body: { label: 'Made' } })).body;

  test('revokes the token with immediate effect', async () => {
    const { id, token } = await aToken(world.a.admin);
    expect((await get('/v1/user', token)).status).toBe(200);
    expect((await get(`/v1/orgs/${world.a.organizationId}`, token)).status).toBe(200);
    const deleted = await app.call('DELETE', `/v1/user/tokens/${id}`, { token: world.a.admin.token });
    expect(deleted.status).toBe(205);
    expect(deleted.text).toBe('');
    expectError(await get('/v1/user', token), 401);
    expectError(await get(`/v1/orgs/${world.a.organizationId}`, token), 401);
    expect((await get('/v1/user', world.a.admin.token)).status).toBe(200);
  });

  test('accepts the token itself', async () => {
    const { id, token } = await aToken(world.a.admin);
    expect((await app.call('DELETE', `/v1/user/tokens/${id}`, { token })).status).toBe(205);
    expectError(await app.call('DELETE', `/v1/user/tokens/${id}`, { token }), 401);
  });

  test('returns 404 for tokens of other users and deleted ones', async () => {
    const { id, token } = await aToken(world.a.people.read);
    for (const method of ['GET', 'DELETE']) {
      expectError(await app.call(method, `/v1/user/tokens/${id}`, { token: world.a.admin.token }), 404);
    }
    expect((await get('/v1/user', token)).status).toBe(200);
    const deletedToken = await aToken(world.a.admin);
    await app.call('DELETE', `/v1/user/tokens/${deletedToken.id}`, { token: world.a.admin.token });
    expectError(
      await app.call('DELETE', `/v1/user/tokens/${deletedToken.id}`, { token: world.a.admin.token }),
      404,
    );
  });
});
