import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { startApp, type TestApp } from '../../../test/app.ts';
import { urlOf } from '../../../test/databases.ts';
import { aMember, aWorld, type World } from '../../../test/world.ts';
import { buildApp, type App } from '../../app.ts';
import { createLog } from '../../log.ts';
import { loadConfig } from '../../config.ts';

let app: TestApp;
let world: World;
const otherProcesses: App[] = [];

/** A second instance on the same database, which behaves like another process. */
async function anotherProcess(): Promise<App> {
  const config = loadConfig({
    DATABASE_URL: urlOf(app.database as Parameters<typeof urlOf>[0]),
    OCTAVO_SECRET: 'a secret for tests alone',
    OCTAVO_LOG_LEVEL: 'silent',
    OCTAVO_RATE_LIMIT: '0',
  });
  const other = await buildApp(config, createLog(config));
  await other.server.ready();
  otherProcesses.push(other);
  return other;
}

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

afterAll(async () => {
  for (const other of otherProcesses) await other.close();
});

const statusAt = async (process: App, path: string, token: string): Promise<number> =>
  (await process.server.inject({ url: path, headers: { authorization: `Bearer ${token}` } })).statusCode;

describe('access revoked in one process', () => {
  test('ends within a second in every other, although they cache', async () => {
    const other = await anotherProcess();
    const organization = `/v1/orgs/${world.a.organizationId}`;
    await setTimeout(500);
    const expectRevoked = async (
      path: string,
      token: string,
      status: number,
      revoke: () => Promise<unknown>,
    ) => {
      for (let i = 0; i < 5; i++) expect(await statusAt(other, path, token)).toBe(200);
      await revoke();
      const revokedAt = Date.now();
      for (;;) {
        const askedAt = Date.now();
        const answered = await statusAt(other, path, token);
        if (answered === status) break;
        // Measured at the start of the request, because the response may take long on a busy machine.
        if (askedAt - revokedAt > 1000) expect(answered).toBe(status);
        await setTimeout(5);
      }
    };

    const { token } = world.a.admin;
    const made = await app.call('POST', '/v1/user/tokens', { token, body: { label: 'To be deleted' } });
    await expectRevoked('/v1/user', made.body.token, 401, () =>
      app.call('DELETE', `/v1/user/tokens/${made.body.id}`, { token }),
    );
    const member = await aMember(app, world.a.organizationId, 'edit');
    await expectRevoked(organization, member.token, 404, () =>
      app.call('DELETE', `${organization}/members/${member.id}`, { token }),
    );
    const reader = await aMember(app, world.a.organizationId, 'read');
    await expectRevoked(`${organization}/teams`, reader.token, 403, () =>
      app.call('PATCH', `${organization}/members/${reader.id}`, { token, body: { role: null } }),
    );
  });
});

describe('the time at which a token was last used', () => {
  test('is stored at the latest when the process ends', async () => {
    const { id, token } = await aMember(app, world.a.organizationId, 'read');
    const other = await anotherProcess();
    const begun = Date.now();
    expect(await statusAt(other, '/v1/user', token)).toBe(200);
    await other.close();
    otherProcesses.splice(otherProcesses.indexOf(other), 1);
    const { body } = await app.call('GET', '/v1/user/tokens', { token });
    expect(new Date(body.items[0].lastUsedAt).getTime()).toBeGreaterThan(begun - 1000);
    const member = await app.call('GET', `/v1/orgs/${world.a.organizationId}/members/${id}`, { token });
    expect(new Date(member.body.lastSeenAt).getTime()).toBeGreaterThan(begun - 1000);
  });
});
