import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestApp } from '../../../../test/app.ts';
import { contentsOf, insert } from '../../../../test/content.ts';
import type { GitRemote } from '../../../../test/git-remote.ts';
import type { TestRepository } from '../../../../test/git-repository.ts';
import { message, startGitSyncs, type GitSyncs } from '../../../../test/git-sync.ts';
import { aSide } from '../../../../test/world.ts';
import { insertMember } from '../../members/index.ts';
import { claimOperation } from '../operations/store.ts';

/** Repositories that a space follows. */

const MAIN = 'refs/heads/main';
const PASSWORD = 'deploy-t0ken';

let app: TestApp;
let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ app, remote, git } = await startGitSyncs({ username: 'git', password: PASSWORD }));
});

interface Connected {
  readonly space: string;
  readonly repository: TestRepository;
  readonly sync: Answer['body'];
}

async function connected(settings: object = {}): Promise<Connected> {
  const space = await git.contents.aSpace();
  const repository = await remote.addRepository();
  await repository.commit({ 'README.md': '# Welcome\n\nHello.\n', 'next.md': '# Next\n\nText.\n' });
  const sync = await connect(space, repository, settings);
  await git.work();
  await app.tellReaders();
  await git.work();
  return { space, repository, sync };
}

async function connect(space: string, { url }: { url: string }, settings: object = {}) {
  const answer = await git.contents.call('PUT', `${space}/git/sync`, {
    url,
    ref: MAIN,
    credential: { password: PASSWORD },
    ...settings,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const stateOf = (space: string) => git.contents.get(`${space}/git/sync`);

const titles = async (space: string) => (await git.contents.pages(space)).map(({ title }) => title);

async function edit(space: string, title: string, markdown: string): Promise<void> {
  const page = (await git.contents.pages(space)).find((each) => each.title === title);
  await git.contents.edit(space, { operation: 'update_page', page: page.id, document: { markdown } });
  await app.tellReaders();
  await git.work();
}

const sign = (secret: string, payload: string) => createHmac('sha256', secret).update(payload).digest('hex');

function deliver(
  { webhook }: Answer['body'],
  payload: object,
  headers: (body: string) => Record<string, string>,
) {
  const raw = JSON.stringify(payload);
  return app.call('POST', new URL(webhook.url).pathname, {
    raw,
    headers: { 'content-type': 'application/json', ...headers(raw) },
  });
}

const github =
  (secret: string, event = 'push') =>
  (body: string) => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${sign(secret, body)}`,
  });

describe('a connected space', () => {
  test('is synchronized at once, and says how', async () => {
    const { space, sync } = await connected({ provider: 'github' });
    expect(sync).toMatchObject({
      object: 'git-sync',
      ref: MAIN,
      direction: 'both',
      hasCredential: true,
      pullRequests: false,
      webhook: { url: expect.stringContaining('/~git/'), secret: expect.any(String) },
    });
    expect(JSON.stringify(sync)).not.toContain(PASSWORD);
    expect(await titles(space)).toEqual(['Welcome', 'Next']);
    expect(await stateOf(space)).toMatchObject({
      state: 'synchronized',
      lastOperation: { state: 'success' },
    });
    const rows = JSON.stringify(await app.sql('select c::text from git_connections c'));
    expect(rows).not.toContain(PASSWORD);
  });

  test('exports what is edited, and does not export what was imported', async () => {
    const { space, repository } = await connected();
    const before = await repository.commits();
    expect(before).toHaveLength(1);
    await edit(space, 'Next', 'Edited.\n');
    expect((await repository.files())['next.md']).toBe('# Next\n\nEdited.\n');
    expect(await stateOf(space)).toMatchObject({ lastOperation: { cause: 'content', direction: 'export' } });
  });

  test('names the merged change request in the commit', async () => {
    const { space, repository } = await connected();
    const request = await git.contents.call('POST', `${space}/change-requests`, { subject: 'Say more' });
    const path = `${space}/change-requests/${request.body.id}`;
    await git.contents.call('POST', `${path}/content`, { changes: [insert('More', 'Much more.')] });
    expect((await git.contents.call('POST', `${path}/merge`)).body.result).toBe('merge');
    await app.tellReaders();
    await git.work();
    const [commit] = await repository.commits();
    expect(commit?.message).toContain('Say more (#1)');
  });

  test('is exported again after a conflict in which its own version was chosen', async () => {
    const { space, repository } = await connected();
    await repository.commit({ 'next.md': '# Next\n\nText of the branch.\n' });
    await edit(space, 'Next', 'Text of the space.\n');
    const { state, lastOperation } = await stateOf(space);
    expect(state).toBe('conflict');
    const merged = await git.settle(`${space}/change-requests/${lastOperation.changeRequest}`, 'primary');
    expect(merged.body, merged.text).toMatchObject({ result: 'merge' });
    await app.tellReaders();
    await git.work();
    expect(await stateOf(space)).toMatchObject({ state: 'synchronized' });
    expect((await repository.files())['next.md']).toBe('# Next\n\nText of the space.\n');
    await edit(space, 'Next', 'Edited.\n');
    expect((await repository.files())['next.md']).toBe('# Next\n\nEdited.\n');
  });

  test('may take precedence at the first synchronization', async () => {
    const space = await git.contents.aSpace();
    await git.contents.edit(space, insert('Mine', 'Text of the space.'));
    const repository = await remote.addRepository();
    await repository.commit({ 'README.md': '# Theirs\n', LICENSE: 'Free.\n' });
    await connect(space, repository, { precedence: 'space' });
    await git.work();
    expect(await titles(space)).toEqual(['Mine']);
    expect(await repository.files()).toMatchObject({
      'README.md': expect.stringContaining('Text of the space.'),
      LICENSE: 'Free.\n',
    });
  });

  test('keeps its credential if none is sent, unless the URL changes', async () => {
    const { space, repository } = await connected();
    const path = `${space}/git/sync`;
    const kept = await git.contents.call('PUT', path, { url: repository.url, ref: MAIN });
    expect(kept.body).toMatchObject({ hasCredential: true });
    const other = await remote.addRepository();
    const changed = await git.contents.call('PUT', path, { url: other.url, ref: MAIN });
    expect(changed.body).toMatchObject({ hasCredential: false });
    await git.work();
    expect(await stateOf(space)).toMatchObject({ state: 'failed', error: expect.any(String) });
  });

  test('is retried on request, and disconnected', async () => {
    const { space, repository } = await connected();
    await repository.commit({ 'next.md': '# Next\n\nRetried.\n' });
    const retried = await git.contents.call('POST', `${space}/git/sync/retry`);
    expect(retried).toMatchObject({ status: 202, body: { state: 'synchronizing' } });
    await git.work();
    const page = (await git.contents.pages(space)).find(({ title }) => title === 'Next');
    expect((await git.contents.page(space, page.id)).markdown).toBe('Retried.\n');
    expect((await git.contents.call('DELETE', `${space}/git/sync`)).status).toBe(205);
    expect((await git.contents.call('GET', `${space}/git/sync`)).status).toBe(404);
    expect((await git.contents.get(space)).gitSync).toBeUndefined();
  });

  test('of a user who lost the role admin says so', async () => {
    const { space } = await connected();
    await app.sql('update git_connections set user_id = null where space_id = $1', [space.split('/').at(-1)]);
    await git.contents.call('POST', `${space}/git/sync/retry`);
    await git.work();
    expect(await stateOf(space)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('deleted'),
    });
  });
});

describe('what others may do', () => {
  test('operations of one organization do not take all places', async () => {
    const spaceIds: string[] = [];
    for (let n = 0; n < 3; n++) spaceIds.push((await git.contents.aSpace()).split('/').at(-1) ?? '');
    const request = { url: `${remote.origin}/x.git`, ref: MAIN, directory: '', force: false };
    const insertInto = (id: string, state: string) =>
      app.sql(
        `insert into git_operations (id, space_id, direction, cause, request, ordered_at, state, seen_at)
         values ($1, $1, 'import', 'api', $2, now(), $3, now())`,
        [id, request, state],
      );
    await insertInto(spaceIds[0] ?? '', 'running');
    await insertInto(spaceIds[1] ?? '', 'running');
    await insertInto(spaceIds[2] ?? '', 'queued');
    const { db } = app.app.installation.connection;
    expect(await claimOperation(db)).toBeUndefined();
    const other = await aSide(app, 'beta');
    const theirs = (await contentsOf(app, other).aSpace()).split('/').at(-1) ?? '';
    await insertInto(theirs, 'queued');
    expect(await claimOperation(db)).toMatchObject({ space_id: theirs });
    // The last place is for an organization without a running operation.
    const third = await aSide(app, 'delta');
    const queued = [];
    for (let n = 0; n < 2; n++) queued.push((await contentsOf(app, third).aSpace()).split('/').at(-1) ?? '');
    for (const id of queued) await insertInto(id, 'queued');
    await app.sql(`update git_operations set state = 'queued' where id = any($1)`, [[spaceIds[1]]]);
    expect(await claimOperation(db)).toMatchObject({ organization_id: third.organizationId });
    expect(await claimOperation(db)).toBeUndefined();
    await app.sql('delete from git_operations where id = any($1)', [[...spaceIds, theirs, ...queued]]);
  });

  test('remotes that do not answer delay polls of their own organization only', async () => {
    const stuck: ServerResponse[] = [];
    let isReleased = false;
    remote.intercept = ({ url }, response) => {
      if (!url?.startsWith('/stuck')) return false;
      stuck.push(response);
      if (isReleased) response.destroy();
      return true;
    };
    await app.sql(`update git_connections set next_poll_at = now() + interval '1 day'`);
    for (let n = 0; n < 3; n++) {
      const space = await git.contents.aSpace();
      await connect(space, { url: `${remote.origin}/stuck-${n}.git` });
    }
    const other = contentsOf(app, await aSide(app, 'beta'));
    const theirs = await other.aSpace();
    const repository = await remote.addRepository();
    await repository.commit({ 'README.md': '# Welcome\n' });
    const body = { url: repository.url, ref: MAIN, credential: { password: PASSWORD } };
    await other.call('PUT', `${theirs}/git/sync`, body);
    await app.sql(`delete from git_operations where state = 'queued'`);

    const polled = git.poll();
    await expect
      .poll(() => other.get(`${theirs}/git/sync`))
      .toMatchObject({ lastOperation: { cause: 'poll' } });
    await expect.poll(() => stuck.length).toBe(1);
    isReleased = true;
    stuck[0]?.destroy();
    await polled;
    remote.intercept = undefined;
    expect(stuck).toHaveLength(3);
    const [failed] = await app.sql('select count(*)::int from git_connections where poll_error is not null');
    expect(failed).toEqual({ count: 3 });
    await app.sql(`delete from git_operations where state = 'queued'`);
  });

  test('a token that may only read does not see the secret of the webhook', async () => {
    const { space } = await connected();
    const created = await git.contents.call('POST', '/v1/user/tokens', {
      label: 'reader',
      scopes: ['space:read'],
    });
    const answer = await app.call('GET', `${space}/git/sync`, { token: created.body.token });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.webhook).toEqual({ url: expect.any(String) });
  });

  test('a transferred space is disconnected', async () => {
    const { space } = await connected();
    const other = await aSide(app, 'gamma');
    const { id: userId } = await git.contents.get('/v1/user');
    const { db } = app.app.installation.connection;
    await insertMember(db, { organizationId: other.organizationId, userId, role: 'admin' });
    const body = { organization: other.organizationId };
    const transferred = await git.contents.call('POST', `${space}/transfer`, body);
    expect(transferred.status, transferred.text).toBeLessThan(300);
    expect((await git.contents.call('GET', `${space}/git/sync`)).status).toBe(404);
  });
});

describe('a webhook', () => {
  const push = { ref: MAIN, after: 'x' };

  test.each<[string, (secret: string) => (body: string) => Record<string, string>, object]>([
    ['GitHub', (secret) => github(secret), push],
    ['GitLab', (secret) => () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }), push],
    [
      'Gitea',
      (secret) => (body) => ({ 'x-gitea-event': 'push', 'x-gitea-signature': sign(secret, body) }),
      push,
    ],
    [
      'Bitbucket',
      (secret) => (body) => ({
        'x-event-key': 'repo:push',
        'x-hub-signature': `sha256=${sign(secret, body)}`,
      }),
      { push: { changes: [{ new: { name: 'main' } }] } },
    ],
  ])('of %s imports a push', async (_host, headersOf, payload) => {
    const { space, repository, sync } = await connected();
    await repository.commit({ 'next.md': '# Next\n\nPushed.\n' });
    const answer = await deliver(sync, payload, headersOf(sync.webhook.secret));
    expect(answer.status, answer.text).toBe(202);
    await git.work();
    expect(await stateOf(space)).toMatchObject({
      lastOperation: { cause: 'push', direction: 'import', state: 'success' },
      webhook: { seenAt: expect.any(String) },
    });
  });

  test('of another branch or event does nothing', async () => {
    const { sync } = await connected();
    const { secret } = sync.webhook;
    const count = async () => (await app.sql('select count(*)::int from git_operations'))[0]?.['count'];
    const before = await count();
    expect((await deliver(sync, { ref: 'refs/heads/other' }, github(secret))).status).toBe(200);
    expect((await deliver(sync, {}, github(secret, 'ping'))).status).toBe(200);
    expect(await count()).toBe(before);
  });

  test.each<[string, (body: string) => Record<string, string>]>([
    ['no signature', () => ({ 'x-github-event': 'push' })],
    [
      'a wrong signature',
      () => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
    ],
    ['a wrong token', () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'guess' })],
    ['an empty token', () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': '' })],
  ])('with %s is refused, as for a space that does not exist', async (_name, headers) => {
    const { sync } = await connected();
    const refused = await deliver(sync, push, headers);
    expect(refused.status).toBe(401);
    const unknown = { webhook: { url: 'http://octavo.test/~git/nothing/webhook' } };
    expect(await deliver(unknown, push, headers)).toMatchObject({ status: 401, text: refused.text });
  });

  test('brings a pull request in as a change request, if that is switched on', async () => {
    const { space, repository, sync } = await connected({ pullRequests: true });
    const head = await repository.head();
    await repository.git(['branch', 'topic', head]);
    await repository.commit(
      { 'next.md': '# Next\n\nProposed.\n' },
      { branch: 'topic', message: 'Say it better' },
    );
    const repo = { full_name: 'acme/docs' };
    const payload = (action: string) => ({
      action,
      pull_request: { number: 7, head: { ref: 'topic', repo }, base: { ref: 'main', repo } },
    });
    const { secret } = sync.webhook;
    expect((await deliver(sync, payload('opened'), github(secret, 'pull_request'))).status).toBe(202);
    await git.work();
    const done = await git.latest(space);
    expect(done).toMatchObject({
      state: 'success',
      cause: 'pull-request',
      changeRequest: expect.any(String),
    });
    const request = `${space}/change-requests/${done.changeRequest}`;
    expect(await git.contents.get(request)).toMatchObject({
      subject: expect.stringContaining('Pull request #7: Say it better'),
      status: 'open',
    });
    const { changes } = await git.contents.get(`${request}/changes`);
    expect(changes).toHaveLength(1);
    await repository.commit({ 'next.md': '# Next\n\nProposed again.\n' }, { branch: 'topic' });
    await deliver(sync, payload('synchronize'), github(secret, 'pull_request'));
    await git.work();
    expect((await git.latest(space)).changeRequest).toBe(done.changeRequest);
    const fork = payload('opened');
    fork.pull_request.head.repo = { full_name: 'stranger/docs' };
    expect((await deliver(sync, fork, github(secret, 'pull_request'))).status).toBe(200);
  });
});

describe('a pull request', () => {
  async function proposed() {
    const { space, repository, sync } = await connected({ pullRequests: true });
    await repository.git(['branch', 'topic', await repository.head()]);
    await repository.commit({ 'next.md': '# Next\n\nProposed.\n' }, { branch: 'topic', message: 'wip' });
    const repo = { full_name: 'acme/docs' };
    const announce = async (action: string, title = 'Say it better') => {
      const refs = { head: { ref: 'topic', repo }, base: { ref: 'main', repo } };
      const payload = { action, pull_request: { number: 7, title, ...refs } };
      expect((await deliver(sync, payload, github(sync.webhook.secret, 'pull_request'))).status).toBe(202);
      await git.work();
      return git.latest(space);
    };
    const { changeRequest } = await announce('opened');
    return { space, announce, path: `${space}/change-requests/${changeRequest}` };
  }

  test('may have a title that PostgreSQL would not store', async () => {
    const { announce, path } = await proposed();
    // Of the hundred characters of a subject, the last one would be half of the emoji.
    await announce('edited', `a\u0000b\n${'c'.repeat(78)}😀`);
    expect((await git.contents.get(path)).subject).toBe(`Pull request #7: a b ${'c'.repeat(78)}`);
  });

  test('gives its title to the change request, also when it is changed', async () => {
    const { announce, path } = await proposed();
    expect((await git.contents.get(path)).subject).toBe('Pull request #7: Say it better');
    await announce('edited', 'Say it best');
    expect((await git.contents.get(path)).subject).toBe('Pull request #7: Say it best');
    await git.contents.call('PATCH', path, { subject: 'My own words' });
    await announce('edited', 'Say it');
    expect((await git.contents.get(path)).subject).toBe('My own words');
  });

  test('archives the change request when it is closed, and opens it again', async () => {
    const { announce, path } = await proposed();
    expect(await announce('closed')).toMatchObject({ state: 'success', cause: 'pull-request' });
    expect((await git.contents.get(path)).status).toBe('archived');
    expect(await announce('closed')).toMatchObject({ state: 'success' });
    await announce('reopened');
    expect((await git.contents.get(path)).status).toBe('open');
  });

  test('leaves a change request open that was edited', async () => {
    const { announce, path } = await proposed();
    await git.contents.call('POST', `${path}/content`, { changes: [insert('More', 'Our own text.')] });
    const closed = await announce('closed');
    expect(message(closed)).toContain('was edited');
    expect((await git.contents.get(path)).status).toBe('open');
  });

  const ofBitbucket = (name: string) => ({ branch: { name }, repository: { full_name: 'acme/docs' } });
  const HOSTS = {
    GitLab: (isOpen: boolean) => ({
      headers: { 'x-gitlab-event': 'Merge Request Hook' },
      payload: {
        object_attributes: {
          action: isOpen ? 'open' : 'merge',
          iid: 3,
          title: 'Of GitLab',
          source_project_id: 1,
          target_project_id: 1,
          source_branch: 'topic',
          target_branch: 'main',
        },
      },
    }),
    Bitbucket: (isOpen: boolean) => ({
      headers: { 'x-event-key': isOpen ? 'pullrequest:created' : 'pullrequest:fulfilled' },
      payload: {
        pullrequest: {
          id: 3,
          title: 'Of Bitbucket',
          source: ofBitbucket('topic'),
          destination: ofBitbucket('main'),
        },
      },
    }),
  };

  test.each(['GitLab', 'Bitbucket'] as const)('of %s is proposed and archived, too', async (host) => {
    const { space, repository, sync } = await connected({ pullRequests: true });
    await repository.git(['branch', 'topic', await repository.head()]);
    await repository.commit({ 'next.md': '# Next\n\nProposed.\n' }, { branch: 'topic' });
    const announce = async (isOpen: boolean) => {
      const { headers, payload } = HOSTS[host](isOpen);
      const { 'x-github-event': _event, ...signature } = github(sync.webhook.secret)(JSON.stringify(payload));
      expect((await deliver(sync, payload, () => ({ ...signature, ...headers }))).status).toBe(202);
      await git.work();
      return git.latest(space);
    };
    const { changeRequest } = await announce(true);
    const path = `${space}/change-requests/${changeRequest}`;
    const subject = `Pull request #3: Of ${host}`;
    expect(await git.contents.get(path)).toMatchObject({ subject, status: 'open' });
    await announce(false);
    expect((await git.contents.get(path)).status).toBe('archived');
  });
});

describe('without a webhook', () => {
  test('the repository is polled, with increasing delays', async () => {
    const { space, repository } = await connected();
    const id = space.split('/').at(-1);
    const due = () =>
      app.sql("update git_connections set next_poll_at = now() - interval '1 second' where space_id = $1", [
        id,
      ]);
    const delay = async () => {
      const sql = `select round(extract(epoch from next_poll_at - now()) / 60)::int as minutes from git_connections where space_id = $1`;
      return (await app.sql(sql, [id]))[0]?.['minutes'];
    };
    const delays = [];
    for (let poll = 0; poll < 4; poll++) {
      await due();
      await git.poll();
      delays.push(await delay());
    }
    expect(delays).toEqual([1, 2, 4, 8]);
    await repository.commit({ 'next.md': '# Next\n\nPolled.\n' });
    await due();
    await git.poll();
    expect(await delay()).toBe(1);
    await git.work();
    expect(await git.latest(space)).toMatchObject({ cause: 'poll', state: 'success' });
  });

  test('a failed poll is shown', async () => {
    const { space } = await connected();
    const id = space.split('/').at(-1);
    await app.sql(
      `update git_connections set credential = null, next_poll_at = now() - interval '1 second' where space_id = $1`,
      [id],
    );
    await git.poll();
    expect(await stateOf(space)).toMatchObject({ state: 'failed', error: expect.any(String) });
  });
});
