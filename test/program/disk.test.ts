import path from 'node:path';
import { expect, test } from 'vitest';
import { startedBefore } from './data-directory.ts';
import { send } from './load.ts';
import { startProgram, temporaryDirectory } from './program.ts';

test('with little disk space left, reads and deletes succeed, and every other write is 507', async () => {
  const env = { OCTAVO_DATA: await startedBefore(path.join(temporaryDirectory(), 'data')) };
  const first = await startProgram({ env });
  const { token } = first;
  const team = async (url: string, title: string) => {
    const [organization] = JSON.parse((await send(url, { path: '/v1/orgs', token })).body).items;
    const path = `/v1/orgs/${organization.id}/teams`;
    return { path, answer: await send(url, { method: 'PUT', path, token, body: { title } }) };
  };
  const { path: teams, answer: created } = await team(first.url, 'Kept');
  const { id } = JSON.parse(created.body) as { id: string };
  const target = await send(first.url, {
    method: 'POST',
    path: `${path.dirname(teams)}/storage/upload`,
    token,
    body: { file: { name: 'picture.png', type: 'image/png', size: 5 } },
  });
  const { pathname: upload } = new URL((JSON.parse(target.body) as { url: string }).url);
  expect(await first.stop()).toMatchObject({ code: 0 });

  // More than any disk has, so that this one has too little.
  const full = await startProgram({ env: { ...env, OCTAVO_DISK_RESERVE: '8000TB' } });
  const { answer: refused } = await team(full.url, 'Refused');
  expect(refused.status).toBe(507);
  expect(JSON.parse(refused.body)).toEqual({
    error: {
      code: 507,
      message: expect.stringMatching(/^The disk of the server is full\. Nothing was stored/),
    },
  });
  const uploaded = await fetch(new URL(upload, full.url), { method: 'PUT', body: 'bytes' });
  expect(uploaded.status).toBe(507);
  const list = JSON.parse((await send(full.url, { path: teams, token })).body);
  expect(list.items).toEqual([expect.objectContaining({ id })]);
  const deleted = await send(full.url, { method: 'DELETE', path: `${teams}/${id}`, token });
  expect(deleted.status).toBe(204);
  const ended = await full.stop();
  expect(ended).toMatchObject({ code: 0 });
  // Lines without stack traces: there may be many, on a disk that is full.
  const logged = ended.log.filter((line) => 'err' in line);
  expect(logged).toHaveLength(2);
  for (const line of logged) {
    expect(JSON.stringify(line)).toContain('OCTAVO_DISK_RESERVE');
    expect(line).not.toHaveProperty('err.stack');
  }
});
