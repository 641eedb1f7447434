import type { ServerResponse } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { insert } from '../../../../test/content.ts';
import type { GitRemote } from '../../../../test/git-remote.ts';
import { message, startGitSyncs, type GitSyncs } from '../../../../test/git-sync.ts';

/** The remote accepts a push, and its response is lost. */

let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ remote, git } = await startGitSyncs());
});

/** The connection ends when the remote has done its work. */
const lose = (response: ServerResponse): void =>
  void Object.assign(response, {
    flushHeaders: () => undefined,
    write: () => true,
    end: () => response.destroy(),
  });

async function interruptedPush() {
  const repository = await remote.addRepository();
  await repository.commit({ 'README.md': '# Welcome\n' });
  const space = await git.contents.aSpace();
  await git.import(space, repository);
  await git.contents.edit(space, insert('Added', 'Text.'));
  remote.intercept = ({ method, url }, response) => {
    if (method === 'POST' && url?.endsWith('/git-receive-pack')) lose(response);
    return false;
  };
  expect(await git.export(space, repository)).toMatchObject({ state: 'failure' });
  remote.intercept = undefined;
  expect(await repository.commits()).toHaveLength(2);
  return { space, repository, pushed: await repository.head() };
}

const titles = async (space: string): Promise<string[]> =>
  (await git.contents.pages(space)).map(({ title }) => title);

test.each(['import', 'export'] as const)('is found by the next %s', async (direction) => {
  const { space, repository, pushed } = await interruptedPush();
  const done = await git[direction](space, repository);
  expect(done).toMatchObject({ state: 'success', commit: pushed });
  expect(message(done)).toContain('of an interrupted export');
  expect(await repository.head()).toBe(pushed);
  expect(await titles(space)).toEqual(['Welcome', 'Added']);
  const { id } = await git.contents.get(`${space}/content`);
  expect(await git.contents.get(`${space}/revisions/${id}`)).toMatchObject({ git: { oid: pushed } });
});

test('is found below a commit of others, and both sides merge', async () => {
  const { space, repository } = await interruptedPush();
  await repository.commit({ 'README.md': '# Welcome\n\nHello.\n' });
  await git.contents.edit(space, insert('Later', 'Text.'));
  expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
  expect(await titles(space)).toEqual(['Welcome', 'Added', 'Later']);
  expect(Object.keys(await repository.files())).toEqual(['README.md', 'added.md', 'later.md']);
  expect(await repository.commits()).toHaveLength(4);
});
