import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { aMember, aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;
let organization: string;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  organization = `/v1/orgs/${world.a.organizationId}`;
});

const asAdmin = () => world.a.admin.token;

const createTeam = async (): Promise<string> => {
  const { body } = await app.call('PUT', `${organization}/teams`, {
    token: asAdmin(),
    body: { title: 'Team' },
  });
  return `${organization}/teams/${body.id}`;
};

const etagOf = async (path: string): Promise<string> =>
  (await app.call('GET', path, { token: asAdmin() })).headers['etag'] ?? '';

describe('concurrent writes', () => {
  test('with the same If-Match: exactly one PATCH succeeds', async () => {
    for (let round = 0; round < 20; round++) {
      const team = await createTeam();
      const etag = await etagOf(team);
      const answers = await Promise.all(
        ['One', 'Two', 'Three'].map((title) =>
          app.call('PATCH', team, { token: asAdmin(), body: { title }, headers: { 'if-match': etag } }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await app.call('GET', team, { token: asAdmin() })).body.title).toBe(winner?.body.title);
    }
  });

  test('PATCH and DELETE with the same If-Match: exactly one succeeds', async () => {
    for (let round = 0; round < 20; round++) {
      const team = await createTeam();
      const headers = { 'if-match': await etagOf(team) };
      const [patched, deleted] = await Promise.all([
        app.call('PATCH', team, { token: asAdmin(), body: { title: 'Kept' }, headers }),
        app.call('DELETE', team, { token: asAdmin(), headers }),
      ]);
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([patched.status, deleted.status]);
    }
  });

  test('with `If-Match: *` all succeed', async () => {
    const team = await createTeam();
    const headers = { 'if-match': '*' };
    const titles = Array.from({ length: 60 }, (_each, n) => `Title ${n}`);
    const answers = await Promise.all(
      titles.map((title) => app.call('PATCH', team, { token: asAdmin(), body: { title }, headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('that edit one space with `If-Match: *` all succeed', async () => {
    const { body: space } = await app.call('POST', `${organization}/spaces`, {
      token: asAdmin(),
      body: { title: 'Busy', editMode: 'live' },
    });
    const content = `/v1/spaces/${space.id}/content`;
    const insert = (title: string) =>
      app.call('POST', content, {
        token: asAdmin(),
        headers: { 'if-match': '*' },
        body: { changes: [{ operation: 'insert_page', title }] },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_each, n) => insert(`Page ${n}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await app.call('GET', `${content}/pages`, { token: asAdmin() });
    expect(body.pages).toHaveLength(40);
  });

  test('without a precondition return 404 when they come too late, never a server error', async () => {
    const { id: member } = await aMember(app, world.a.organizationId, 'read');
    for (let round = 0; round < 20; round++) {
      const team = await createTeam();
      const link = await app.call('POST', `${organization}/link-invites`, {
        token: asAdmin(),
        body: { role: 'read' },
      });
      const invite = `${organization}/link-invites/${link.body.id}`;
      const { id } = await aMember(app, world.a.organizationId, 'read');
      const answers = await Promise.all([
        app.call('DELETE', team, { token: asAdmin() }),
        app.call('PATCH', team, { token: asAdmin(), body: { title: 'Kept' } }),
        app.call('PUT', `${team}/members/${member}`, { token: asAdmin() }),
        app.call('DELETE', invite, { token: asAdmin() }),
        app.call('PATCH', invite, { token: asAdmin(), body: { role: 'edit' } }),
        app.call('DELETE', `${organization}/members/${id}`, { token: asAdmin() }),
        app.call('PATCH', `${organization}/members/${id}`, { token: asAdmin(), body: { role: 'edit' } }),
        app.call('PUT', `${organization}/teams`, {
          token: asAdmin(),
          body: { title: 'With them', members: [id] },
        }),
      ]);
      for (const { status, text } of answers) expect([200, 201, 204, 205, 404], text).toContain(status);
    }
  });
});
