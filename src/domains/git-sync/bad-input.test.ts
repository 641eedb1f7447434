import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { atEnd } from '../../../test/at-end.ts';
import { aGit } from '../../../test/git.ts';
import { insert } from '../../../test/content.ts';
import type { GitRemote } from '../../../test/git-remote.ts';
import type { TestFiles, TestRepository } from '../../../test/git-repository.ts';
import { gitSyncsOf, startGitSyncs, type GitSyncs } from '../../../test/git-sync.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

/** Repositories and requests that cannot be imported, or only in part: the content stays as it was, or is complete. */

let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ remote, git } = await startGitSyncs());
});

const README = { 'README.md': '# Welcome\n\nHello.\n' };

async function aRepository(files: TestFiles): Promise<TestRepository> {
  const repository = await remote.addRepository();
  await repository.commit(files);
  return repository;
}

const titles = async (space: string): Promise<string[]> =>
  (await git.contents.pages(space)).map(({ title }) => title);

describe('a request', () => {
  test.each<[string, object, string]>([
    ['another scheme', { url: 'ssh://git@example.com/docs.git' }, 'body.url'],
    ['a local path', { url: '/srv/docs.git' }, 'body.url'],
    ['a command', { url: 'ext::sh -c id' }, 'body.url'],
    ['an option', { url: '--upload-pack=id' }, 'body.url'],
    ['no path', { url: 'https://example.com' }, 'body.url'],
    ['a tag', { ref: 'refs/tags/v1' }, 'body.ref'],
    ['a short branch', { ref: 'main' }, 'body.ref'],
    ['a branch with dots', { ref: 'refs/heads/a..b' }, 'body.ref'],
    ['a directory outside', { repoProjectDirectory: '../etc' }, 'body.repoProjectDirectory'],
    ['the directory of Git itself', { repoProjectDirectory: 'a/.GIT/b' }, 'body.repoProjectDirectory'],
    ['a link that runs', { repoTreeURL: 'javascript:alert(1)' }, 'body.repoTreeURL'],
    ['a time that is none', { timestamp: 'yesterday' }, 'body.timestamp'],
  ])('with %s is refused', async (_name, body, path) => {
    const space = await git.contents.aSpace();
    const answer = await git.start('import', space, { url: 'https://example.com/docs.git' }, body);
    expectError(answer, 400);
    expect(answer.text).toContain(path);
    // A pattern tells no one what to send.
    expect(answer.text).not.toContain('^refs');
  });
});

describe('an operation fails, and nothing changes', () => {
  test.each<[string, () => Promise<{ url: string }>, RegExp, object?]>([
    ['the host is private', async () => ({ url: 'https://10.0.0.1/docs.git' }), /10\.0\.0\.1/],
    ['the host is unknown', async () => ({ url: 'https://nowhere.invalid/docs.git' }), /nowhere\.invalid/],
    ['there is no repository', async () => ({ url: `${remote.origin}/nothing.git` }), /repository/i],
    ['the repository is empty', async () => remote.addRepository(), /no branch/],
    ['there is no such branch', () => aRepository(README), /refs\/heads\/other/, { ref: 'refs/heads/other' }],
    ['there is no such directory', () => aRepository(README), /"docs"/, { repoProjectDirectory: 'docs' }],
    ['there is no page', async () => aRepository({ 'main.c': 'int main;\n' }), /no Markdown page/],
    [
      'the configuration is no YAML',
      async () => aRepository({ ...README, '.gitbook.yaml': 'structure:\n  readme: [unclosed\n' }),
      /^\.gitbook\.yaml, line 2: It is not valid YAML/,
    ],
    [
      'the root is outside',
      async () => aRepository({ ...README, '.gitbook.yaml': '\nroot: ../..\n' }),
      /^\.gitbook\.yaml, line 2: root is outside/,
    ],
    [
      'the root is a list',
      async () => aRepository({ ...README, '.gitbook.yaml': '# Docs\nroot:\n  - docs\n' }),
      /^\.gitbook\.yaml, line 3: root is not text/,
    ],
    [
      'the root does not exist',
      async () => aRepository({ ...README, '.gitbook.yaml': '# Docs\nroot: ./nowhere/\n' }),
      /^\.gitbook\.yaml, line 2: root: There is no directory nowhere/,
    ],
    [
      'redirects are a list',
      async () => aRepository({ ...README, '.gitbook.yaml': 'redirects:\n  - a: b\n' }),
      /^\.gitbook\.yaml, line 2: redirects is not a map/,
    ],
    [
      'the configuration is a list',
      async () => aRepository({ ...README, '.gitbook.yaml': '- root\n' }),
      /^\.gitbook\.yaml, line 1: It is not a map/,
    ],
    [
      'the structure is text',
      async () => aRepository({ ...README, '.gitbook.yaml': 'structure: SUMMARY.md\n' }),
      /^\.gitbook\.yaml, line 1: structure is not a map/,
    ],
    [
      'SUMMARY.md is too large',
      async () => aRepository({ ...README, 'SUMMARY.md': '*\n'.repeat(2.2e6) }),
      /^SUMMARY\.md is larger than 4 MB/,
    ],
    [
      'SUMMARY.md has too many entries',
      async () => aRepository({ ...README, 'SUMMARY.md': '* [A](https://a.test)\n'.repeat(40_001) }),
      /would have 40001 pages, groups and links; the limit is 40000/,
    ],
  ])('%s', async (_name, source, error, options = {}) => {
    const space = await git.contents.aSpace();
    await git.contents.edit(space, insert('Mine', 'Text.'));
    const before = await git.contents.get(`${space}/content`);
    expect((await git.start('import', space, await source(), options)).status).toBe(204);
    await git.work();
    expect(await git.latest(space)).toMatchObject({ state: 'failure', error: expect.stringMatching(error) });
    expect(await git.contents.get(`${space}/content`)).toEqual(before);
  });
});

describe('an import is done, and its log names the file', () => {
  test.each<[string, TestFiles, { path: string; message: RegExp; line?: number }]>([
    [
      'an entry of SUMMARY.md without a file',
      { 'SUMMARY.md': '# Contents\n\n* [Welcome](README.md)\n* [Gone](gone.md)\n' },
      { path: 'SUMMARY.md', message: /gone\.md/, line: 4 },
    ],
    [
      'a file that SUMMARY.md names twice',
      { 'SUMMARY.md': '# Contents\n\n* [Welcome](README.md)\n* [Again](README.md)\n' },
      { path: 'SUMMARY.md', message: /README\.md/, line: 4 },
    ],
    [
      'a summary that the configuration names and the folder does not have',
      { '.gitbook.yaml': 'structure:\n  summary: ./TOC.md\n' },
      { path: '.gitbook.yaml', message: /structure\.summary: There is no TOC\.md/, line: 2 },
    ],
    [
      'variables that are no YAML',
      { '.gitbook/vars.yaml': 'a: 1\nb: [\n' },
      { path: '.gitbook/vars.yaml', message: /not valid YAML/, line: 2 },
    ],
    [
      'a variable with a value that is none',
      { '.gitbook/vars.yaml': 'a: 1\nnested:\n  b: 2\n' },
      { path: '.gitbook/vars.yaml', message: /nested/, line: 3 },
    ],
    [
      'tags that are no list',
      { '.gitbook/tags.yaml': 'beta: Beta\n' },
      { path: '.gitbook/tags.yaml', message: /not a list/, line: 1 },
    ],
    [
      'a colon in frontmatter',
      { 'colon.md': '---\ndescription: one: two\n---\n\n# Colon\n' },
      { path: 'colon.md', message: /./, line: 2 },
    ],
    [
      'a binary file with the name of a page',
      { 'binary.md': new Uint8Array([0xff, 0xfe, 0, 1]) },
      { path: 'binary.md', message: /UTF-8/ },
    ],
    [
      'two names that differ in case',
      { 'a.md': '# a\n', 'A.md': '# A\n' },
      { path: 'a.md', message: /case/ },
    ],
    [
      'a symbolic link',
      { 'link.md': { content: '/etc/passwd', mode: '120000' } },
      { path: 'link.md', message: /link/i },
    ],
    [
      'a configuration of a site',
      { 'docs.yaml': 'site:\n  title: Docs\n' },
      { path: 'docs.yaml', message: /site that it describes is not changed/ },
    ],
    [
      'a pointer of Git LFS',
      { 'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' },
      { path: 'big.bin', message: /LFS/ },
    ],
  ])('%s', async (_name, files, { message, ...entry }) => {
    const space = await git.contents.aSpace();
    const repository = await aRepository({ ...README, ...files });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success' });
    expect(done.log).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(message), ...entry }),
    );
    expect(await titles(space)).toContain('Welcome');
    const head = await repository.head();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success', commit: head });
  });

  test('a submodule stays in the repository', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository(README);
    const head = await repository.head();
    const tree = await repository.git(['ls-tree', 'main']);
    const withModule = await repository.git(
      ['mktree', '--missing'],
      `${tree}160000 commit ${head}\tmodule\n`,
    );
    const commit = await repository.git([
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit-tree',
      withModule.trim(),
      '-p',
      head,
      '-m',
      'Add',
    ]);
    await repository.git(['update-ref', 'refs/heads/main', commit.trim()]);
    const done = await git.import(space, repository);
    expect(done.log).toContainEqual(
      expect.objectContaining({ path: 'module', message: expect.stringMatching(/submodule/i) }),
    );
    await git.contents.edit(space, insert('Added', 'Text.'));
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(await repository.git(['ls-tree', 'main', 'module'])).toContain(`160000 commit ${head}`);
  });
});

test.each([
  ['has no git program', async (_folder: string) => {}, /no git program/],
  [
    'cannot start git',
    (folder: string) => writeFile(path.join(folder, 'git'), 'not a program', { mode: 0o600 }),
    /cannot be started \(EACCES\)/,
  ],
])('a server that %s says so, and everything else works', async (_name, prepare, error) => {
  const app = await startApp();
  const searchPath = await mkdtemp(path.join(tmpdir(), 'octavo-path-'));
  atEnd(() => rm(searchPath, { recursive: true }));
  await prepare(searchPath);
  Object.assign(app.app.context, await aGit(remote, { searchPath }));
  const { contents, start } = gitSyncsOf(app, await aSide(app, 'alpha'));
  const space = await contents.aSpace();
  const target = { url: 'https://example.com/docs.git', ref: 'refs/heads/main' };
  for (const answer of [
    await start('import', space, target),
    await start('export', space, target),
    await contents.call('PUT', `${space}/git/sync`, target),
  ]) {
    expectError(answer, 501);
    expect(answer.text).toMatch(error);
  }
  await contents.edit(space, insert('Mine', 'Text.'));
});

test('a space has few unfinished operations', async () => {
  const space = await git.contents.aSpace();
  const repository = await aRepository(README);
  for (let count = 0; count < 20; count++) await git.start('import', space, repository);
  expectError(await git.start('import', space, repository), 429);
  await git.work();
});
