import path from 'node:path';
import { expect, test } from 'vitest';
import { respond, serveSite } from '../site.ts';
import { startedBefore } from './data-directory.ts';
import { queryEmbedded } from './database.ts';
import { send } from './load.ts';
import { startProgram, temporaryDirectory } from './program.ts';

const page = respond(200, { 'content-type': 'text/markdown' }, '# Page\n\nText.\n');

test('a run of a process that was killed is performed by the next one', async () => {
  let isAnswering = false;
  const site = await serveSite({}, (request, response) => void (isAnswering && page(request, response)));
  const data = await startedBefore(path.join(temporaryDirectory(), 'data'));
  const env = { OCTAVO_DATA: data, OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${site.port}` };
  const first = await startProgram({ env });
  const { token } = first;
  const call = async (url: string, method: string, to: string, body?: object) => {
    const answer = await send(url, { method, path: to, token, body });
    expect(answer.status, answer.body).toBeLessThan(300);
    return JSON.parse(answer.body);
  };
  const { items } = await call(first.url, 'GET', '/v1/orgs');
  const organization = items[0].id as string;
  const space = await call(first.url, 'POST', `/v1/orgs/${organization}/spaces`, { title: 'Guide' });
  await call(first.url, 'PATCH', `/v1/spaces/${space.id}`, { editMode: 'live' });
  const runs = `/v1/org/${organization}/imports`;
  const run = await call(first.url, 'POST', runs, {
    source: { type: 'url', url: `${site.url}/page.md`, source: 'markdown' },
    target: { space: space.id },
  });
  await expect.poll(() => site.requests.length).toBe(1);
  expect(await first.kill()).toMatchObject({ code: 'SIGKILL' });

  isAnswering = true;
  const second = await startProgram({ env });
  expect(await call(second.url, 'GET', `${runs}/${run.id}`)).toMatchObject({ status: 'in-progress' });
  // Two minutes pass; the schedule enqueues the job every minute.
  await queryEmbedded(data, `update import_runs set seen_at = now() - interval '3 minutes'`);
  await queryEmbedded(data, `select graphile_worker.add_job('imports.run', '{}')`);
  const statusOf = async () => (await call(second.url, 'GET', `${runs}/${run.id}`)).status;
  await expect.poll(statusOf).toBe('completed');
  const { pages } = await call(second.url, 'GET', `/v1/spaces/${space.id}/content/pages`);
  expect(pages).toMatchObject([{ title: 'Page' }]);
  await second.stop();
});
