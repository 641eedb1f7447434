import { beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import type { GitRemote } from '../../../test/git-remote.ts';
import type { TestFiles, TestRepository } from '../../../test/git-repository.ts';
import { message, startGitSyncs, type GitSyncs } from '../../../test/git-sync.ts';

/** The `docs.yaml` of a site, and the directory of a repository that is the content of a space. */

let app: TestApp;
let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ app, remote, git } = await startGitSyncs());
});

/** The file of a site with one space for each directory. */
const siteOf = (...directories: (string | null)[]): string =>
  [
    'site:',
    '  title: Docs # of all products',
    '  structure:',
    ...directories.flatMap((directory, index) => [
      '    - type: section',
      `      title: Section ${index}`,
      '      children:',
      '        - type: space',
      '          content:',
      `            directory: ${directory}`,
    ]),
    '',
  ].join('\n');

const DOCS = {
  'docs/README.md': '# Guide\n\nOne word.\n',
  'docs/SUMMARY.md': '# Table of contents\n\n* [Guide](README.md)\n* [Set up](pages/setup.md)\n',
  'docs/.gitbook.yaml': 'root: ./\nredirects:\n  old: pages/setup.md\n',
  'docs/pages/setup.md': '# Set up\n\nSteps.\n',
};
const REPOSITORY = {
  ...DOCS,
  'README.md': '# The program\n',
  'api/README.md': '# API\n',
  Makefile: 'all:\n',
};

async function aRepository(files: TestFiles) {
  const repository = await remote.addRepository();
  await repository.commit(files);
  return { repository, space: await git.contents.aSpace() };
}

const titles = async (space: string): Promise<string[]> =>
  (await git.contents.pages(space)).map(({ title }) => title);

/** 226 directories with the same 225 files. */
async function addManyFiles({ git: run }: TestRepository): Promise<void> {
  const names = Array.from({ length: 226 }, (_, index) => `${index}`).toSorted();
  const treeOf = async (entry: string, count: number) =>
    (
      await run(
        ['mktree'],
        names
          .slice(0, count)
          .map((name) => `${entry}\t${name}\n`)
          .join(''),
      )
    ).trim();
  const blob = (await run(['hash-object', '-w', '--stdin'], 'int a;\n')).trim();
  const many = await treeOf(`040000 tree ${await treeOf(`100644 blob ${blob}`, 225)}`, 226);
  const tree = await run(['mktree'], `${await run(['ls-tree', 'main'])}040000 tree ${many}\tsrc\n`);
  const by = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const commit = await run([...by, 'commit-tree', tree.trim(), '-p', 'main', '-m', 'Add']);
  await run(['update-ref', 'refs/heads/main', commit.trim()]);
}

describe('one directory', () => {
  test.each([
    ['docs.yaml', './docs', ''],
    ['docs.yaml', 'docs/', ''],
    ['docs.yaml', '/docs', ''],
    ['gitbook-docs.yaml', './docs', ''],
    ['project/docs.yaml', '/docs', 'project'],
    ['project/docs.yaml', '../docs', 'project'],
  ])('of %s, as %s, is the content of the space', async (file, directory, repoProjectDirectory) => {
    const { repository, space } = await aRepository({ ...REPOSITORY, [file]: siteOf(directory, null) });
    const done = await git.import(space, repository, { repoProjectDirectory });
    expect(done).toMatchObject({ state: 'success', dispatchedTasks: 4 });
    expect(done.log).toContainEqual(expect.objectContaining({ message: expect.stringContaining('"docs"') }));
    expect(await titles(space)).toEqual(['Guide', 'Set up']);
    const head = await repository.head();
    expect(await git.export(space, repository, { repoProjectDirectory })).toMatchObject({
      state: 'success',
      commit: head,
    });
  });

  test('is exported to, and docs.yaml keeps its bytes', async () => {
    const files = { ...REPOSITORY, 'docs.yaml': siteOf('./docs') };
    const { repository, space } = await aRepository(files);
    await git.import(space, repository);
    await git.contents.edit(space, insert('Added', 'Text.'));
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(await repository.git(['diff', '--name-status', 'main~1', 'main'])).toBe(
      'M\tdocs/SUMMARY.md\nA\tdocs/added.md\n',
    );
  });

  test('is the directory of a first export, which may create it', async () => {
    const { repository, space } = await aRepository({ 'docs.yaml': siteOf('handbook'), Makefile: 'all:\n' });
    await git.contents.edit(space, insert('Mine', 'Text.'));
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(Object.keys(await repository.files())).toEqual([
      'Makefile',
      'docs.yaml',
      'handbook/README.md',
      'handbook/SUMMARY.md',
    ]);
    expect(await git.import(space, repository)).toMatchObject({ state: 'success' });
    expect(await titles(space)).toEqual(['Mine']);
  });

  test('is where pages show their files', async () => {
    const { repository, space } = await aRepository({ ...REPOSITORY, 'docs.yaml': siteOf('docs') });
    await git.import(space, repository);
    const page = await git.contents.get(`${space}/content/path/setup`);
    expect(page.git).toMatchObject({ path: 'docs/pages/setup.md' });
    const [row] = await app.sql(`select git_sync from spaces where id = $1`, [space.split('/').at(-1)]);
    expect(row).toMatchObject({ git_sync: { directory: 'docs' } });
  });

  test('can be renamed: its pages keep their ids, and both sides merge', async () => {
    const { repository, space } = await aRepository({ ...REPOSITORY, 'docs.yaml': siteOf('docs') });
    await git.import(space, repository);
    const before = await git.contents.pages(space);
    const moved = Object.fromEntries(
      Object.entries(DOCS).flatMap(([path, text]) => [
        [path, null],
        [path.replace('docs/', 'handbook/'), text],
      ]),
    );
    await repository.commit({ ...moved, 'docs.yaml': siteOf('handbook') });
    await git.contents.edit(space, insert('Added', 'Text.'));
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const after = await git.contents.pages(space);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    expect(await repository.git(['diff', '--name-status', 'main~1', 'main'])).toBe(
      'M\thandbook/SUMMARY.md\nA\thandbook/added.md\n',
    );
  });

  test('may be small in a repository that is too large for one space', async () => {
    const { repository, space } = await aRepository(DOCS);
    await addManyFiles(repository);
    expect(await git.import(space, repository)).toMatchObject({
      state: 'failure',
      error: expect.stringContaining('more than 50000 files'),
    });
    await repository.commit({ 'docs.yaml': siteOf('docs') });
    expect(await git.import(space, repository)).toMatchObject({ state: 'success', dispatchedTasks: 4 });
  });
});

describe('a directory that is not named alone', () => {
  test('several directories are not one space', async () => {
    const { repository, space } = await aRepository({ ...REPOSITORY, 'docs.yaml': siteOf('docs', './api') });
    await git.contents.edit(space, insert('Mine', 'Text.'));
    const { error, state } = await git.import(space, repository);
    expect(state).toBe('failure');
    expect(error).toContain('"docs", "api"');
    expect(error).toContain('repoProjectDirectory');
    expect(await titles(space)).toEqual(['Mine']);
    expect(await git.export(space, repository)).toMatchObject({ state: 'failure', error });
    expect(await git.import(space, repository, { repoProjectDirectory: 'api' })).toMatchObject({
      state: 'success',
    });
    expect(await titles(space)).toEqual(['API']);
  });

  test.each<[string, TestFiles, RegExp]>([
    ['it is one of them itself', { 'docs.yaml': siteOf('.', './api') }, /site that it describes/],
    ['none is synchronized', { 'docs.yaml': siteOf(null) }, /site that it describes/],
    [
      'it has its own SUMMARY.md',
      { 'docs.yaml': siteOf('docs', 'api'), 'SUMMARY.md': '* [P](README.md)\n' },
      /its own SUMMARY\.md/,
    ],
    [
      'it has its own .gitbook.yaml',
      { 'docs.yaml': siteOf('docs'), '.gitbook.yaml': 'root: .\n' },
      /its own \.gitbook\.yaml/,
    ],
    [
      'it does not depend on an invalid file',
      { 'docs.yaml': 'site: []\n', 'SUMMARY.md': '* [P](README.md)\n' },
      /"path":"docs\.yaml","line":1/,
    ],
    [
      'there are two files',
      { 'docs.yaml': 'site:\n', 'gitbook-docs.yaml': siteOf('a', 'b') },
      /read instead/,
    ],
  ])('is imported whole if %s', async (_name, files, warning) => {
    const { repository, space } = await aRepository({ ...REPOSITORY, ...files });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success' });
    expect(message(done)).toMatch(warning);
    expect(await titles(space)).toContain('The program');
    const head = await repository.head();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success', commit: head });
  });
});

test.each([
  ['no YAML', 'site:\n  structure: [\n', /^docs\.yaml, line \d: It is not valid YAML/],
  ['no map', '- site\n', /^docs\.yaml, line 1: It is not a map/],
  ['a list as site', 'site:\n  - a\n', /^docs\.yaml, line 2: site is not a map/],
  ['a map as structure', 'site:\n  structure:\n    a: 1\n', /line 3: site\.structure is not a list/],
  ['text as an entry', 'site:\n  structure:\n    - a\n', /line 3: site\.structure\[0\] is not a map/],
  ['a number as directory', siteOf('5'), /line 9: .*children\[0\]\.content\.directory is not the path/],
  ['a directory outside', siteOf('docs', '../..'), /line 15: .*content\.directory is outside/],
  ['a directory that does not exist', siteOf('gone'), /line 9: The repository has no directory "gone"/],
  ['a file as directory', siteOf('Makefile'), /line 9: The repository has no directory "Makefile"/],
  ['the copy of Git', siteOf('.git'), /line 9: The repository has no directory/],
])('docs.yaml with %s changes nothing', async (_name, text, error) => {
  const { repository, space } = await aRepository({ ...REPOSITORY, 'docs.yaml': text });
  await git.contents.edit(space, insert('Mine', 'Text.'));
  expect(await git.import(space, repository)).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(error),
  });
  expect(await titles(space)).toEqual(['Mine']);
});
