import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GitRemote } from '../../../test/git-remote.ts';
import type { TestRepository } from '../../../test/git-repository.ts';
import { message, startGitSyncs, type GitSyncs } from '../../../test/git-sync.ts';

let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ remote, git } = await startGitSyncs());
});

async function aRepository(): Promise<TestRepository> {
  const repository = await remote.addRepository();
  await repository.commit({
    'README.md': '# Welcome\n\nHello.\n',
    'start.md': '# Start\n\nOne line.\n',
    'next.md': '# Next\n\nText.\n',
  });
  return repository;
}

const pageAt = (space: string, path: string) => git.contents.get(`${space}/content/path/${path}`);

describe('an export', () => {
  test('adds and moves pages in the directories of the repository, as they are spelled', async () => {
    const space = await git.contents.aSpace();
    const repository = await remote.addRepository();
    await repository.commit({
      'README.md': '# Welcome\n',
      'User Guides/README.md': '# Guides\n',
      'User Guides/Deploy_Now.md': '# Deploy\n',
      'Reference/API_Keys.md': '# Keys\n',
    });
    await git.import(space, repository);
    const { id: guides } = await pageAt(space, 'user-guides');
    const { id: keys } = await pageAt(space, 'reference/api_keys');
    await git.contents.edit(
      space,
      { operation: 'insert_page', title: 'Added', document: { markdown: 'New page.' }, into: guides },
      { operation: 'move_page', page: keys, into: guides },
    );
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    const files = Object.keys(await repository.files());
    expect(files.filter((path) => path.includes('/')).toSorted()).toEqual([
      'User Guides/API_Keys.md',
      'User Guides/Deploy_Now.md',
      'User Guides/README.md',
      'User Guides/added.md',
    ]);
  });
});

describe('a space with several branches', () => {
  const DRAFT = { ref: 'refs/heads/draft' };

  test('merges each branch with what both had in common', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    expect(await git.export(space, repository, DRAFT)).toMatchObject({ state: 'success' });
    const { id } = await pageAt(space, 'next');
    await git.contents.edit(space, { operation: 'update_page', page: id, title: 'Afterwards' });
    await repository.commit({ 'README.md': '# Welcome\n\nOf the first branch.\n' });
    expect(await git.import(space, repository)).toMatchObject({ state: 'success' });
    expect((await pageAt(space, 'next')).title).toBe('Afterwards');
    expect((await pageAt(space, 'readme')).markdown).toBe('Of the first branch.\n');
    await repository.commit({ 'start.md': '# Start\n\nOf the draft.\n' }, { branch: 'draft' });
    expect(await git.import(space, repository, DRAFT)).toMatchObject({ state: 'success' });
    for (const each of [{}, DRAFT])
      expect(await git.export(space, repository, each)).toMatchObject({ state: 'success' });
    expect(await repository.files('draft')).toEqual(await repository.files());
    expect(await repository.files()).toMatchObject({
      'README.md': '# Welcome\n\nOf the first branch.\n',
      'start.md': '# Start\n\nOf the draft.\n',
      'next.md': expect.stringContaining('# Afterwards'),
    });
  });

  test('is merged with a branch of one of them only when its own conflict is settled', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await git.import(space, repository);
    await git.export(space, repository, DRAFT);
    const { id } = await pageAt(space, 'start');
    await git.contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Space.' } });
    await repository.commit({ 'start.md': '# Start\n\nBranch.\n' });
    const { changeRequest } = await git.import(space, repository);
    expect(await git.export(space, repository)).toMatchObject({ state: 'failure', changeRequest });
    expect(await git.export(space, repository, DRAFT)).toMatchObject({ state: 'success' });
    expect((await git.settle(`${space}/change-requests/${changeRequest}`, 'proposed')).body).toMatchObject({
      result: 'merge',
    });
    for (const each of [DRAFT, {}])
      expect(await git.export(space, repository, each)).toMatchObject({ state: 'success' });
    expect(await repository.files('draft')).toEqual(await repository.files());
  });

  test('has executable files on a new branch, and names the links that it does not add', async () => {
    const space = await git.contents.aSpace();
    const repository = await aRepository();
    await repository.commit({
      'tool.sh': { content: 'echo\n', mode: '100755' },
      'link.md': { content: 'README.md', mode: '120000' },
    });
    await git.import(space, repository);
    const done = await git.export(space, repository, { ref: 'refs/heads/copy' });
    expect(done).toMatchObject({ state: 'success' });
    expect(await repository.git(['ls-tree', 'copy', 'tool.sh'])).toMatch(/^100755 /);
    expect((await repository.files('copy'))['link.md']).toBeUndefined();
    expect(message(done)).toContain('Not exported: the earlier branch has a symbolic link here');
  });

  /** Each writer has pages of its own, so that nothing conflicts: whatever is missing in the end was lost. */
  const WRITERS = ['main', 'draft', 'space'] as const;
  const steps = fc.oneof(
    fc.record({ at: fc.constantFrom(...WRITERS), part: fc.constantFrom('title', 'body') }),
    fc.record({ import: fc.constantFrom('main', 'draft') }),
    fc.record({ export: fc.constantFrom('main', 'draft') }),
  );

  test(
    'loses no change, whatever is changed, imported and exported in which order',
    { timeout: 300_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 8 }), async (sequence) => {
          const texts = Object.fromEntries(
            WRITERS.map((who) => [who, { title: `T-${who}`, body: `b-${who}` }]),
          );
          const fileOf = (who: string) => `# ${texts[who]?.title}\n\n${texts[who]?.body}\n`;
          const names = WRITERS.map((who) => [`${who}.md`, fileOf(who)] as const);
          const space = await git.contents.aSpace();
          const repository = await remote.addRepository();
          await repository.commit({ 'README.md': '# Welcome\n', ...Object.fromEntries(names) });
          const branch = (name: string) => ({ ref: `refs/heads/${name}` });
          const done = async (operation: Promise<unknown>) =>
            expect(await operation).toMatchObject({ state: 'success' });
          await done(git.import(space, repository));
          await done(git.export(space, repository, branch('draft')));
          const { id } = await pageAt(space, 'space');
          for (const [index, step] of sequence.entries()) {
            if ('import' in step) await done(git.import(space, repository, branch(step.import)));
            else if ('export' in step) await done(git.export(space, repository, branch(step.export)));
            else {
              const { at, part } = step;
              texts[at] = { title: '', body: '', ...texts[at], [part]: `${part}-${at}-${index}` };
              const { title, body } = texts[at] ?? {};
              if (at === 'space') {
                const change = part === 'title' ? { title } : { document: { markdown: `${body}\n` } };
                await git.contents.edit(space, { operation: 'update_page', page: id, ...change });
              } else await repository.commit({ [`${at}.md`]: fileOf(at) }, { branch: at });
            }
          }
          for (const name of ['main', 'draft']) await done(git.import(space, repository, branch(name)));
          for (const name of ['main', 'draft']) await done(git.export(space, repository, branch(name)));
          for (const name of ['main', 'draft']) {
            const files = await repository.files(name);
            expect(WRITERS.map((who) => files[`${who}.md`])).toEqual(WRITERS.map(fileOf));
          }
        }),
        { numRuns: 2 },
      ),
  );
});
