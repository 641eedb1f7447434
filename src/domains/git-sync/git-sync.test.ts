import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { startGitSyncs, type GitSyncs } from '../../../test/git-sync.ts';
import type { GitRemote } from '../../../test/git-remote.ts';
import { ENVIRONMENT, type TestFiles, type TestRepository } from '../../../test/git-repository.ts';

let remote: GitRemote;
let git: GitSyncs;
let app: TestApp;

beforeAll(async () => {
  ({ app, remote, git } = await startGitSyncs());
});

const FILES: TestFiles = {
  'README.md': '# Welcome\n\nRead [the guide](guide/start.md).\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [Start](guide/start.md)\n* [Next](guide/next.md)\n',
  'guide/start.md': '---\ndescription: First steps\n---\n\n# Start\n\nOne line.\n\nAnother line.\n',
  'guide/next.md': '# Next\n\n![Picture](../.gitbook/assets/dot.png)\n',
  '.gitbook/assets/dot.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
    'base64',
  ),
  LICENSE: 'Anything goes.\n',
};

async function aRepository(files: TestFiles = FILES): Promise<TestRepository> {
  const repository = await remote.addRepository();
  await repository.commit(files, { message: 'First commit' });
  return repository;
}

const titles = async (space: string): Promise<string[]> => {
  const { pages } = await git.contents.get(`${space}/content/pages`);
  const walk = (list: { title: string; pages?: [] }[]): string[] =>
    list.flatMap((page) => [page.title, ...walk(page.pages ?? [])]);
  return walk(pages);
};

const pageAt = async (space: string, path: string) =>
  git.contents.get(`${space}/content/path/${encodeURIComponent(path)}`);

const revisionOf = async (space: string) => (await git.contents.get(`${space}/content`)).id;

describe('an import', () => {
  test('makes one revision with the pages, and shows its commit', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    const done = await git.import(space, repository, {
      repoCommitURL: 'https://git.example.com/acme/docs/commit',
      gitInfo: { provider: 'github', url: 'https://git.example.com/acme/docs/tree/main' },
    });
    expect(done).toMatchObject({ state: 'success', direction: 'import', cause: 'api', stage: 'finalize' });
    expect(done.commit).toBe(await repository.head());
    expect(await titles(space)).toEqual(['Welcome', 'Guide', 'Start', 'Next']);
    const content = await git.contents.get(`${space}/content`);
    expect(content).toMatchObject({
      id: done.revision,
      git: {
        oid: done.commit,
        message: expect.stringContaining('First commit'),
        createdByService: false,
        url: `https://git.example.com/acme/docs/commit/${done.commit}`,
        ref: 'refs/heads/main',
      },
    });
    expect((await git.contents.get(`${space}/content?metadata=false`)).git).toBeUndefined();
    const info = {
      installationProvider: 'github',
      url: 'https://git.example.com/acme/docs/tree/main',
      repoName: expect.stringMatching(/^repository-/),
      installationId: space.split('/').at(-1),
      installationStatus: 'active',
    };
    expect(await git.contents.get(`${space}/git/info`)).toMatchObject(info);
    expect((await git.contents.get(space)).gitSync).toMatchObject(info);
  });

  test('is complete after its content is published, not before', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    const { db } = app.app.installation.connection;
    const id = space.slice(space.lastIndexOf('/') + 1);
    let published = '';
    const waiting = async () => {
      const locks = await app.sql(`select 1 from pg_locks where not granted`);
      return locks.length > 0;
    };
    await git.start('import', space, repository);
    await db.transaction().execute(async (transaction) => {
      await sql`select from spaces where id = ${id} for update`.execute(transaction);
      void git.work();
      await expect.poll(waiting).toBe(true);
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(transaction);
      published = rows[0]?.at.toISOString() ?? '';
    });
    await expect.poll(async () => (await git.latest(space)).state).toBe('success');
    expect((await git.latest(space)).completedAt >= published).toBe(true);
  });

  test('stores Markdown files that are not pages: they can be exported elsewhere', async () => {
    const space = await git.contents.aSpace();
    const files = { ...FILES, 'drafts/later.md': '# Later\n\nNot in the table of contents.\n' };
    await git.import(space, await aRepository(files));
    const other = await remote.addRepository();
    expect(await git.export(space, other)).toMatchObject({ state: 'success' });
    expect(await other.files()).toMatchObject({ 'drafts/later.md': files['drafts/later.md'] });
  });

  test('shows the file of each page, file and reusable content that did not change since', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    const note = { '.gitbook/includes/note.md': 'A note.\n' };
    const inDocs = Object.entries({ ...FILES, ...note }).map(([path, file]) => [`docs/${path}`, file]);
    await repository.commit(Object.fromEntries(inDocs));
    await git.import(space, repository, { repoProjectDirectory: 'docs' });
    const blobAt = async (path: string) => ({
      oid: (await repository.git(['rev-parse', `main:${path}`])).trim(),
      path,
    });
    const [start, next] = ['docs/guide/start.md', 'docs/guide/next.md'];
    expect((await pageAt(space, 'guide/start')).git).toEqual(await blobAt(start));
    const content = await git.contents.get(`${space}/content`);
    expect(content.files[0].git).toEqual(await blobAt('docs/.gitbook/assets/dot.png'));
    expect(content.reusableContents[0].git).toEqual(await blobAt('docs/.gitbook/includes/note.md'));
    const without = await git.contents.get(`${space}/content?metadata=false`);
    expect(JSON.stringify(without)).not.toContain(start);
    const { id } = await pageAt(space, 'guide/start');
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Edited.' } });
    expect((await pageAt(space, 'guide/start')).git).toBeUndefined();
    expect((await pageAt(space, 'guide/next')).git).toEqual(await blobAt(next));
    const before = await blobAt(start);
    await git.export(space, repository, { repoProjectDirectory: 'docs' });
    const after = await blobAt(start);
    expect(after.oid).not.toBe(before.oid);
    expect((await pageAt(space, 'guide/start')).git).toEqual(after);
  });

  test('ends when its space is deleted, and goes on when the space is restored', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    const stalled = new Promise<void>((resolve) => {
      remote.intercept = ({ method }) => {
        if (method === 'POST') resolve();
        return method === 'POST';
      };
    });
    await git.start('import', space, repository);
    const working = git.work();
    await stalled;
    expect((await git.contents.call('DELETE', space)).status).toBe(205);
    await working;
    remote.intercept = undefined;
    expect((await git.contents.call('POST', `${space}/restore`)).status).toBe(200);
    await app.sql(`update git_operations set seen_at = now() - interval '1 minute' where state = 'running'`);
    await git.work();
    expect(await git.latest(space)).toMatchObject({ state: 'success' });
  });

  test('is made of a branch with any name that Git allows, except control and shell characters', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    await repository.commit(FILES, { branch: 'feature/ü#1+@x' });
    const ref = 'refs/heads/feature/ü#1+@x';
    expect(await git.import(space, repository, { ref })).toMatchObject({ state: 'success' });
    for (const refused of ['refs/heads/a|b', 'refs/heads/a\u202Eb', 'refs/heads/-a', 'refs/heads/a..b'])
      expect((await git.start('import', space, repository, { ref: refused })).status, refused).toBe(400);
  });

  test('of an unchanged branch makes no revision', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    const first = await git.import(space, repository);
    expect(await git.import(space, repository)).toMatchObject({ state: 'success', revision: first.revision });
    await repository.commit({ 'README.md': '# Welcome\n\nChanged.\n' });
    await repository.commit({ 'README.md': FILES['README.md'] ?? null });
    expect(await git.import(space, repository)).toMatchObject({ state: 'success', revision: first.revision });
  });

  test('keeps ids by path, and by content if a file moved', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const before = [await pageAt(space, 'guide/start'), await pageAt(space, 'guide/next')];
    await repository.commit({
      'guide/start.md': '# Start\n\nNew text.\n',
      'guide/next.md': null,
      'more/later.md': FILES['guide/next.md'] ?? null,
      'SUMMARY.md':
        '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [Start](guide/start.md)\n* [Later](more/later.md)\n',
    });
    expect(await git.import(space, repository)).toMatchObject({ state: 'success' });
    expect((await pageAt(space, 'guide/start')).id).toBe(before[0].id);
    expect((await pageAt(space, 'guide/later')).id).toBe(before[1].id);
  });

  test('keeps the ids of files that were moved after an export changed them, or moved and edited', async () => {
    const space = await git.contents.aSpace();
    const long = 'The first sentence. The second one.\n\nA paragraph that stays.\n';
    const repository = await aRepository({
      ...FILES,
      'guide/start.md': `# Start\n\n${long}`,
      'guide/next.md': '# Next\n\nSee [the start](start.md).\n',
    });
    await git.import(space, repository);
    const [start, next] = [await pageAt(space, 'guide/start'), await pageAt(space, 'guide/next')];
    await git.contents.edit(
      space,
      { operation: 'update_page', page: next.id, title: 'Afterwards' },
      { operation: 'update_page', page: start.id, slug: 'begin' },
    );
    await git.export(space, repository);
    const files = await repository.files();
    expect(files['guide/next.md']).toBe('# Afterwards\n\nSee [the start](begin.md).\n');
    await repository.commit({
      'guide/next.md': null,
      'guide/later.md': files['guide/next.md'] ?? null,
      'guide/begin.md': null,
      'first/steps.md': `# First steps\n\n${long.replace('second one', 'other one')}`,
      'SUMMARY.md': `* [Welcome](README.md)\n\n## Guide\n\n* [First steps](first/steps.md)\n* [Afterwards](guide/later.md)\n`,
    });
    const done = await git.import(space, repository);
    expect(JSON.stringify(done.log)).toContain('Moved from guide/begin.md');
    expect((await pageAt(space, 'guide/later')).id).toBe(next.id);
    expect(await pageAt(space, 'guide/steps')).toMatchObject({ id: start.id, title: 'First steps' });
  });

  test('merges with edits of the space', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const { id } = await pageAt(space, 'guide/start');
    const markdown = '# Start\n\nOne line.\n\nAnother line, edited.\n';
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown } });
    await repository.commit({
      'guide/start.md':
        '---\ndescription: First steps\n---\n\n# Start\n\nOne line of the repository.\n\nAnother line.\n',
    });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success' });
    expect((await pageAt(space, 'guide/start')).markdown).toBe(
      'One line of the repository.\n\nAnother line, edited.\n',
    );
    expect((await git.contents.get(`${space}/content`)).parents).toHaveLength(2);
  });

  test('that conflicts becomes a change request, and is done when that is merged', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const { id } = await pageAt(space, 'guide/start');
    const edit = (text: string) =>
      git.contents.edit(space, {
        operation: 'update_page',
        page: id,
        document: { markdown: `# Start\n\n${text}\n\nAnother line.\n` },
      });
    await edit('One line of the space.');
    const before = await revisionOf(space);
    const theirs =
      '---\ndescription: First steps\n---\n\n# Start\n\nOne line of the branch.\n\nAnother line.\n';
    await repository.commit({ 'guide/start.md': theirs, 'guide/next.md': '# Next\n\nNew.\n' });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success', changeRequest: expect.any(String) });
    expect(await revisionOf(space)).toBe(before);
    const request = `${space}/change-requests/${done.changeRequest}`;
    expect(await git.contents.get(request)).toMatchObject({ status: 'open' });

    const refused = await git.export(space, repository);
    expect(refused).toMatchObject({ state: 'failure', changeRequest: done.changeRequest });
    expect((await repository.files())['guide/start.md']).toBe(theirs);

    expect((await git.settle(request, 'primary')).body.result).toBe('merge');
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const files = await repository.files();
    expect(files['guide/start.md']).toBe(theirs.replace('of the branch', 'of the space'));
    expect(files['guide/next.md']).toBe('# Next\n\nNew.\n');
  });

  test.each(['primary', 'proposed'] as const)(
    'that only takes an edited page off SUMMARY.md has one file after the conflict: %s',
    async (use) => {
      const space = await git.contents.aSpace();
      const repository = await aRepository();
      await git.import(space, repository);
      const before = Object.keys(await repository.files());
      const { id } = await pageAt(space, 'guide/start');
      await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Mine.' } });
      await repository.commit({
        'SUMMARY.md': '* [Welcome](README.md)\n\n## Guide\n\n* [Next](guide/next.md)\n',
      });
      const { changeRequest } = await git.import(space, repository);
      const merged = await git.settle(`${space}/change-requests/${changeRequest}`, use);
      expect(merged.body, merged.text).toMatchObject({ result: 'merge' });
      expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
      const files = await repository.files();
      expect(Object.keys(files)).toEqual(before);
      expect(files['guide/start.md']).toContain(use === 'primary' ? 'Mine.' : 'One line.');
      expect((await titles(space)).includes('Start')).toBe(use === 'primary');
    },
  );

  test('that deletes a page with its subpages, all of them edited, can be settled in the order of its conflicts', async () => {
    const space = await git.contents.aSpace();
    const pages = ['README.md', 'a/README.md', 'a/b/README.md', 'a/b/c.md', 'd.md'];
    const repository = await aRepository({
      ...Object.fromEntries(pages.map((path) => [path, `# ${path}\n\nText.\n`])),
      'SUMMARY.md':
        '* [R](README.md)\n* [A](a/README.md)\n  * [B](a/b/README.md)\n    * [C](a/b/c.md)\n* [D](d.md)\n',
    });
    await git.import(space, repository);
    for (const path of ['a', 'a/b', 'a/b/c']) {
      const { id } = await pageAt(space, path);
      await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Mine.' } });
    }
    const gone = { 'a/README.md': null, 'a/b/README.md': null, 'a/b/c.md': null };
    await repository.commit({ ...gone, 'SUMMARY.md': '* [R](README.md)\n* [D](d.md)\n' });
    const { changeRequest } = await git.import(space, repository);
    const merged = await git.settle(`${space}/change-requests/${changeRequest}`, 'proposed');
    expect(merged.body, merged.text).toMatchObject({ result: 'merge' });
    expect(await titles(space)).toEqual(['README.md', 'd.md']);
  });

  test('with force: the repository wins', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const { id } = await pageAt(space, 'guide/start');
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Mine.' } });
    expect(await git.import(space, repository, { force: true })).toMatchObject({ state: 'success' });
    expect((await pageAt(space, 'guide/start')).markdown).toBe('One line.\n\nAnother line.\n');
  });

  test('standalone: makes a revision that the space does not show', async () => {
    const space = await git.contents.aSpace();
    const before = await revisionOf(space);
    const done = await git.import(space, await aRepository(), { standalone: true });
    expect(done).toMatchObject({ state: 'success' });
    expect(await revisionOf(space)).toBe(before);
    const { pages } = await git.contents.get(`${space}/revisions/${done.revision}`);
    expect(pages).toHaveLength(2);
  });

  test('from a directory of the repository', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository({ 'docs/README.md': '# Docs\n', 'src/main.c': 'int main;\n' });
    const done = await git.import(space, repository, { repoProjectDirectory: '/docs/' });
    expect(done).toMatchObject({ state: 'success', directory: 'docs' });
    expect(await titles(space)).toEqual(['Docs']);
  });

  test('with an older timestamp than the last one is skipped', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository, { timestamp: '2026-01-02T00:00:00.000Z' });
    const late = await git.import(space, repository, { timestamp: '2026-01-01T00:00:00.000Z' });
    expect(late).toMatchObject({ state: 'skipped' });
  });
});

const AS_OTHER = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com'];

describe('an export', () => {
  test('of what was imported makes no commit', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const head = await repository.head();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success', commit: head });
    expect(await repository.head()).toBe(head);
  });

  test('of one edited word changes one line of one file', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const { id } = await pageAt(space, 'guide/start');
    const markdown = '# Start\n\nOne line.\n\nAnother word.\n';
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown } });
    const done = await git.export(space, repository);
    expect(done).toMatchObject({ state: 'success', revision: await revisionOf(space) });
    expect(await repository.git(['diff', '--numstat', 'main~1', 'main'])).toBe('1\t1\tguide/start.md\n');
    const [commit] = await repository.commits();
    expect(commit).toMatchObject({
      message: expect.stringContaining('Update the guide'),
      committer: 'Octavo <octavo@octavo.test>',
      author: expect.stringContaining('@'),
    });
    expect((await git.contents.get(`${space}/content`)).git).toMatchObject({
      oid: done.commit,
      createdByService: true,
      createdByGitBook: true,
    });
    expect(await git.import(space, repository)).toMatchObject({ state: 'success', revision: done.revision });
  });

  test('adds, moves and deletes the files of pages, and leaves all others', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository({
      ...FILES,
      'tool.sh': { content: 'echo\n', mode: '100755' },
      'link.md': { content: 'README.md', mode: '120000' },
    });
    await git.import(space, repository);
    const next = await pageAt(space, 'guide/next');
    await git.contents.edit(space, { operation: 'delete_page', page: next.id });
    await git.contents.edit(space, insert('Added', 'New page.'));
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const changed = await repository.git(['diff', '--name-status', '--no-renames', 'main~1', 'main']);
    expect(changed.trim().split('\n').toSorted()).toEqual([
      'A\tadded.md',
      'D\tguide/next.md',
      'M\tSUMMARY.md',
    ]);
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const added = (await git.contents.pages(space)).find(({ title }) => title === 'Added');
    await git.contents.edit(space, { operation: 'delete_page', page: added.id });
    await git.export(space, repository);
    expect((await repository.files())['added.md']).toBeUndefined();
  });

  test('shows the files of pages that were made in the space', async () => {
    const space = await git.contents.aSpace();
    await git.contents.edit(space, insert('Welcome', 'Hello.'), insert('Next', 'Text.'));
    const repository = await remote.addRepository();
    await git.export(space, repository, { repoProjectDirectory: 'docs' });
    const oid = (await repository.git(['rev-parse', 'main:docs/next.md'])).trim();
    const page = await pageAt(space, 'next');
    expect(page.git).toEqual({ oid, path: 'docs/next.md' });
    await git.contents.edit(space, { operation: 'update_page', page: page.id, title: 'Afterwards' });
    expect((await pageAt(space, 'next')).git).toBeUndefined();
  });

  test('into an empty repository makes its first commit', async () => {
    const space = await git.contents.aSpace();
    await git.contents.edit(space, insert('Welcome', 'Hello.'), insert('Second', 'Text.'));
    const repository = await remote.addRepository();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const files = await repository.files();
    expect(Object.keys(files).toSorted()).toEqual(['README.md', 'SUMMARY.md', 'second.md']);
    const copy = await git.contents.aSpace();
    await git.import(copy, repository);
    expect(await titles(copy)).toEqual(await titles(space));
  });

  test('merges commits that were pushed meanwhile', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    await repository.commit({ 'guide/next.md': '# Next\n\nPushed.\n', 'NOTES.txt': 'Unrelated.\n' });
    const { id } = await pageAt(space, 'guide/start');
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Edited.' } });
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(await repository.files()).toMatchObject({
      'guide/next.md': '# Next\n\nPushed.\n',
      'guide/start.md': '---\ndescription: First steps\n---\n\n# Start\n\nEdited.',
      'NOTES.txt': 'Unrelated.\n',
    });
    expect((await pageAt(space, 'guide/next')).markdown).toBe('Pushed.\n');
  });

  test('is tried again if others push at the same time, and fails clearly in the end', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const { id } = await pageAt(space, 'guide/start');
    const run = (args: readonly string[]) =>
      execFileSync('git', [...AS_OTHER, '-C', repository.folder, ...args], {
        env: ENVIRONMENT,
        encoding: 'utf8',
      }).trim();
    const pushMeanwhile = (times: number) => {
      let pushed = 0;
      remote.intercept = ({ method, url = '' }) => {
        if (method === 'POST' && url.includes('receive-pack') && pushed++ < times)
          run([
            'update-ref',
            'refs/heads/main',
            run(['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Other']),
          ]);
        return false;
      };
    };
    const edit = (markdown: string) =>
      git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown } });
    await edit('Edited.\n');
    pushMeanwhile(2);
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect((await repository.commits()).map(({ message: text }) => text.trim())).toEqual([
      'Update the guide',
      'Other',
      'Other',
      'First commit',
    ]);
    await edit('Edited again.\n');
    pushMeanwhile(3);
    const failed = await git.export(space, repository);
    expect(failed).toMatchObject({ state: 'failure', error: expect.stringContaining('try again') });
    expect((await repository.files())['guide/start.md']).toContain('Edited.\n');
    remote.intercept = undefined;
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect((await repository.files())['guide/start.md']).toContain('Edited again.');
  });

  test('with force: the space wins, and the history stays', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    const pushed = await repository.commit({ 'guide/next.md': '# Next\n\nPushed.\n' });
    expect(await git.export(space, repository, { force: true })).toMatchObject({ state: 'success' });
    expect((await repository.files())['guide/next.md']).toBe(FILES['guide/next.md']);
    expect((await repository.commits()).map(({ oid }) => oid)).toContain(pushed);
  });
});

describe('a branch that is not what it was', () => {
  test('is not made again after it was deleted, except with force', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository({ ...FILES, 'src/main.c': 'int main;\n' });
    await git.import(space, repository);
    await repository.git(['update-ref', '-d', 'refs/heads/main']);
    expect(await git.export(space, repository)).toMatchObject({
      state: 'failure',
      error: expect.stringContaining('deleted'),
    });
    expect(await git.export(space, repository, { force: true })).toMatchObject({ state: 'success' });
  });

  test('is proposed if it deletes most pages', async () => {
    const space = await git.contents.aSpace();
    const pages = Array.from({ length: 20 }, (_each, n) => [`page-${n}.md`, `# Page ${n}\n`] as const);
    const repository = await aRepository({ 'README.md': '# Start\n', ...Object.fromEntries(pages) });
    await git.import(space, repository);
    await repository.commit({ 'README.md': '# Another repository\n' }, { isRoot: true });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success', changeRequest: expect.any(String) });
    expect(await titles(space)).toHaveLength(21);
    expect(await git.import(space, repository, { force: true })).toMatchObject({ state: 'success' });
    expect(await titles(space)).toEqual(['Another repository']);
  });

  test('has its changes in the log', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    await repository.commit({ 'guide/next.md': '# Next\n\nNew.\n', 'notes.txt': 'x', LICENSE: null });
    const { log } = await git.import(space, repository);
    expect(log).toEqual([
      { level: 'info', message: 'Changed', path: 'guide/next.md' },
      { level: 'info', message: 'Added', path: 'notes.txt' },
      { level: 'info', message: 'Deleted', path: 'LICENSE' },
    ]);
  });
});

describe('what may be seen of it', () => {
  test('a credential is sealed until the end, and nowhere else', async () => {
    const {
      app,
      remote: guarded,
      git: syncs,
    } = await startGitSyncs({ username: 'robot', password: 's3cret-word' });
    const space = await syncs.contents.aSpace();
    const repository = await guarded.addRepository();
    await repository.commit(FILES);
    const withPassword = repository.url.replace('//', '//robot:s3cret-word@');
    await syncs.start('import', space, { url: withPassword });
    const dump = async () => JSON.stringify(await app.sql(`select o::text from git_operations o`));
    expect(await dump()).not.toContain('s3cret');
    await syncs.work();
    const done = await syncs.latest(space);
    expect(done).toMatchObject({ state: 'success', url: repository.url });
    expect(await app.sql('select credential from git_operations')).toEqual([{ credential: null }]);
    const refused = await syncs.import(space, {
      ...repository,
      url: repository.url.replace('//', '//robot:wrong-word@'),
    });
    expect(refused).toMatchObject({ state: 'failure', error: expect.stringMatching(/password|token/i) });
    expect(JSON.stringify(refused)).not.toContain('wrong-word');
  });
});
