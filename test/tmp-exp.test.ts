import { test } from 'vitest';
import { startApp } from './app.ts';
import { aSide } from './world.ts';
test('x', async () => {
  const app = await startApp({ environment: { OCTAVO_LOG_LEVEL: 'error' } });
  const side = await aSide(app, 'xx');
  console.log((await app.call('POST', `/v1/orgs/${side.organizationId}/invites`, { token: side.admin.token, body: { emails: ['aaa@bbb.example'] } })).text);
}, 120_000);
