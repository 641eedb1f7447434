import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { atEnd } from '../../../test/at-end.ts';
import { startGitRemote, type GitRemote } from '../../../test/git-remote.ts';
import { gitSyncsOf, type GitSyncs } from '../../../test/git-sync.ts';
import { performImports } from '../../../test/import-runs.ts';
import { startNotifications, type Notifications } from '../../../test/notifications.ts';

/** Mails about what happens in the background: Git operations and imports. */

let all: Notifications;
let remote: GitRemote;
let git: GitSyncs;
let peer: string;

beforeAll(async () => {
  remote = await startGitRemote();
  const server = createServer((request, response) =>
    request.url === '/page.md' ? response.end('# Page\n\nText.\n') : response.writeHead(404).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  peer = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  all = await startNotifications({ OCTAVO_OUTBOUND_ALLOW: `${new URL(remote.origin).host},${peer}` });
  git = gitSyncsOf(all.app, all.side);
});

const idIn = (space: string) => space.split('/').at(-1) ?? '';

describe('a Git operation', () => {
  test('that fails is told once to who started it, until it succeeds', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    await repository.commit({ 'README.md': '# Welcome\n' });
    const missing = { ref: 'refs/heads/missing' };
    expect(await git.import(space, repository, missing)).toMatchObject({ state: 'failure' });
    const [mail, ...others] = await all.send();
    expect(others).toEqual([]);
    expect(mail?.to).toBe(all.side.admin.email);
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain('The import from the Git repository failed.');
      expect(body).toContain('no branch refs/heads/missing');
    }
    await git.import(space, repository, missing);
    expect(await all.send()).toEqual([]);
    await git.import(space, repository);
    expect(await all.send()).toEqual([]);
    await git.import(space, repository, missing);
    expect(await all.send()).toHaveLength(1);
  });

  test('that conflicts is told with the change request', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    await repository.commit({ 'README.md': '# Welcome\n\nHello.\n' });
    await git.import(space, repository);
    const [page] = await git.contents.pages(space);
    await git.contents.edit(space, {
      operation: 'update_page',
      page: page.id,
      document: { markdown: 'Hello from here.' },
    });
    await repository.commit({ 'README.md': '# Welcome\n\nHello from there.\n' });
    await git.import(space, repository);
    const [mail] = await all.send();
    expect(mail?.text).toContain('Changes in the Git repository conflict with the space.');
    expect(mail?.text).toMatch(new RegExp(`/app${space.slice(3)}/change-requests/\\w+\\s`));
  });

  test('is told to admins, if who connected the repository can no longer be told', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    const { create: starter } = all.side.people;
    await all.as(all.side.admin, 'PATCH', `/v1/orgs/${all.side.organizationId}/members/${starter.id}`, {
      role: 'admin',
    });
    await all.as(starter, 'POST', `${space}/git/import`, { url: repository.url, ref: 'refs/heads/main' });
    await all.as(all.side.admin, 'PATCH', `/v1/orgs/${all.side.organizationId}/members/${starter.id}`, {
      role: 'create',
    });
    await git.work();
    const mails = await all.send();
    expect(mails.map(({ to }) => to)).toEqual([all.side.admin.email]);
    expect(mails[0]?.text).toContain('no longer has the role admin');
  });
});

describe('an import', () => {
  const start = (space: string, url: string) =>
    all.as(all.side.people.edit, 'POST', `/v1/org/${all.side.organizationId}/imports`, {
      source: { type: 'url', url: `http://${peer}${url}`, source: 'markdown' },
      target: { space: idIn(space) },
    });

  test.each([
    ['is completed', '/page.md', 'Your import is completed.', '1 imported'],
    ['has failed', '/missing.md', 'Your import has failed.', '404'],
  ])('that %s is told to who started it', async (_what, url, sentence, detail) => {
    const space = await git.contents.aSpace();
    await start(space, url);
    await performImports(all.app);
    const mails = await all.send();
    expect(mails.map(({ to }) => to)).toEqual([all.side.people.edit.email]);
    for (const body of [mails[0]?.text, mails[0]?.html]) {
      expect(body).toContain(sentence);
      expect(body).toContain(detail);
    }
  });

  test('is told to nobody who may no longer edit the space', async () => {
    const space = await git.contents.aSpace();
    await start(space, '/page.md');
    await performImports(all.app);
    await all.app.tellReaders();
    await all.app.sql(`update spaces set default_inherits = false, default_level = 'read' where id = $1`, [
      idIn(space),
    ]);
    expect(await all.send()).toEqual([]);
  });
});
