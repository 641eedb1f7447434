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
  const list = JSON.parse((await send(full.url, { path: teams, token })).body);
  expect(list.items).toEqual([expect.objectContaining({ id })]);
  const deleted = await send(full.url, { method: 'DELETE', path: `${teams}/${id}`, token });
  expect(deleted.status).toBe(204);
  const ended = await full.stop();
  expect(ended).toMatchObject({ code: 0 });
  // A line without a stack trace: there may be many, on a disk that is full.
  const logged = ended.log.find(({ msg }) => msg.startsWith('The disk of the server is full'));
  expect(logged).toMatchObject({ err: { cause: expect.stringContaining('OCTAVO_DISK_RESERVE') } });
  expect(logged).not.toHaveProperty('err.stack');
});
