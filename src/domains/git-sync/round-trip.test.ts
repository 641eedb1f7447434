import { beforeAll, describe, expect, test } from 'vitest';
import { EVERY_NODE } from '../../../test/every-node.ts';
import type { GitRemote } from '../../../test/git-remote.ts';
import type { TestRepository } from '../../../test/git-repository.ts';
import { startGitSyncs, type GitSyncs } from '../../../test/git-sync.ts';

/** What was imported and not changed is not exported; one edited word is one changed line. */

let remote: GitRemote;
let git: GitSyncs;

beforeAll(async () => {
  ({ remote, git } = await startGitSyncs());
});

async function imported(files: Record<string, string | Uint8Array>) {
  const repository = await remote.addRepository();
  await repository.commit(files);
  const space = await git.contents.aSpace();
  expect(await git.import(space, repository)).toMatchObject({ state: 'success' });
  return { space, repository };
}

const changes = (repository: TestRepository) => repository.git(['diff', '--numstat', 'main~1', 'main']);

async function editWord(space: string, path: string, from: string, to: string): Promise<void> {
  const page = await git.contents.get(`${space}/content/path/${encodeURIComponent(path)}`);
  const markdown = page.markdown.replace(from, to);
  expect(markdown).not.toBe(page.markdown);
  await git.contents.edit(space, { operation: 'update_page', page: page.id, document: { markdown } });
}

/** Line ends, encodings and forms that a program would like to tidy up. */
const FLAVOUR = {
  '.gitbook.yaml':
    'root: ./docs/\n\nstructure:\n  readme: README.md\n  summary: SUMMARY.md\n\nredirects:\n  old/place: guide/setup.md # moved\n',
  'docs/README.md':
    '---\ndescription: >-\n  Folded\n  text\ncover: .gitbook/assets/cover.png\ncoverY: -3\n---\n\n# Welcome\n\nHello.\n',
  'docs/SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide <a href="#guide" id="guide"></a>\n\n- [Set up](guide/setup.md "Setting up")\n    - [Deep](guide/deep/README.md)\n* [Website](https://example.com)\n\n***\n\n* [Words](words.md)\n* [Every node](every.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```\n',
  'docs/guide/setup.md': '# Set up\r\n\r\nCarriage returns, one word.\r\n\r\n* item\r\n- another\r\n',
  'docs/guide/deep/README.md': '\uFEFF# Deep\n\nNo line end at the end',
  'docs/words.md':
    '---\nvars:\n  product: Octavo\nif: visitor.claims.plan === "pro"\n---\n# Words\nUse <code class="expression">page.vars.product</code>.\n\n\n{% include ".gitbook/includes/note.md" %}\n',
  'docs/every.md': `# Every node\n${EVERY_NODE}`,
  'docs/unlisted.md': 'Not in the summary.   \n',
  'docs/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nReusable *text*.\n',
  'docs/.gitbook/vars.yaml': 'version: 1.0 # keep\nname: "x"\n',
  'docs/.gitbook/tags.yaml': '- tag: beta\n  label: Beta\n',
  'docs/.gitbook/assets/cover.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
  'docs.yaml': 'site:\n  title: Docs\n',
  Makefile: 'all:\n\techo\n',
};

describe('a round trip', () => {
  test('of every construct of the flavour changes nothing', async () => {
    const { space, repository } = await imported(FLAVOUR);
    const head = await repository.head();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success', commit: head });
  });

  test('shows the tags of tags.yaml in the revision', async () => {
    const files = {
      'README.md': '# Start\n',
      '.gitbook/tags.yaml': '- tag: beta\n  label: Beta\n  color: $primary\n- tag: old\n  color: beige\n',
    };
    const { space } = await imported(files);
    expect((await git.contents.get(`${space}/content`)).tags).toEqual([
      { slug: 'beta', label: 'Beta', color: '$primary' },
      { slug: 'old', label: 'old', color: 'default' },
    ]);
  });

  test('of one edited word changes one line', async () => {
    const { space, repository } = await imported(FLAVOUR);
    await editWord(space, 'guide/setup', 'one word', 'one sentence');
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(await changes(repository)).toBe('1\t1\tdocs/guide/setup.md\n');
  });

  test('of a renamed page changes its title, and its line of SUMMARY.md', async () => {
    const { space, repository } = await imported(FLAVOUR);
    const page = await git.contents.get(`${space}/content/path/${encodeURIComponent('words')}`);
    await git.contents.edit(space, { operation: 'update_page', page: page.id, title: 'Vocabulary' });
    expect(await git.export(space, repository)).toMatchObject({ state: 'success' });
    expect(await changes(repository)).toBe('1\t1\tdocs/SUMMARY.md\n1\t1\tdocs/words.md\n');
  });

  test('of 2,000 files changes nothing, and of one word one line', async () => {
    const files: Record<string, string> = { 'README.md': '# Start\n', LICENSE: 'Free.\n' };
    const summary = ['# Table of contents', '', '* [Start](README.md)'];
    for (let index = 0; index < 2000; index++) {
      const path = `part-${index % 40}/page-${index}.md`;
      summary.push(`* [Page ${index}](${path})`);
      files[path] =
        `# Page ${index}\n\nSee [the next](../part-${(index + 1) % 40}/page-${index + 1}.md).\n\n| a | b |\n|--|:-:|\n|1|2|\n`;
    }
    files['SUMMARY.md'] = `${summary.join('\n')}\n`;
    const { space, repository } = await imported(files);
    const head = await repository.head();
    expect(await git.export(space, repository)).toMatchObject({ state: 'success', commit: head });
    await editWord(space, 'page-77', 'the next', 'the one after');
    await git.export(space, repository);
    expect(await changes(repository)).toBe('1\t1\tpart-37/page-77.md\n');
    await repository.commit({ 'part-5/page-5.md': '# Page 5\n\nChanged.\n' });
    const done = await git.import(space, repository);
    expect(done).toMatchObject({ state: 'success', dispatchedTasks: 2003 });
  });
});

describe('files of other programs', () => {
  const titlesOf = async (space: string): Promise<string[]> => {
    const pages = await git.contents.pages(space);
    return pages.map(({ title }: { title: string }) => title);
  };

  const exportOf = async (space: string) => {
    const other = await remote.addRepository();
    expect(await git.export(space, other)).toMatchObject({ state: 'success' });
    return other.files();
  };

  const warnings = async (space: string) => {
    const { log } = await git.latest(space);
    return log.filter(({ level }: { level: string }) => level === 'warning');
  };

  test('pages of MDX are pages; what is not run is named, and their export is unchanged', async () => {
    const files = {
      'README.md': '# Home\n\n[Install](install.mdx)\n',
      'install.mdx': "import Tabs from '@theme/Tabs';\n\n# Install\n\n<Tabs>\n\n{version}\n\n</Tabs>\n",
    };
    const { space } = await imported(files);
    expect(await titlesOf(space)).toEqual(['Home', 'Install']);
    expect(await warnings(space)).toContainEqual({
      level: 'warning',
      path: 'install.mdx',
      line: 1,
      message: 'Code of MDX is not run: import, <Tabs>, {version}',
    });
    expect(await exportOf(space)).toEqual(files);
  });

  test('a navigation is followed, and its files are never written', async () => {
    const files = {
      'mkdocs.yml': 'nav:\n  - Home: index.md\n  - Use it: use.md\n  - About: about.md\n',
      'docs/about.md': '# About us\n',
      'docs/use.md': 'Text.\n',
      'docs/index.md': '# Start\n',
    };
    const { space, repository } = await imported(files);
    expect(await titlesOf(space)).toEqual(['Start', 'Use it', 'About us']);
    expect(await warnings(space)).toEqual([]);
    expect(await exportOf(space)).toEqual(files);
    await repository.commit({ ...files, 'mkdocs.yml': 'nav:\n  - index.md\n  - about.md\n' });
    await git.import(space, repository);
    expect(await titlesOf(space)).toEqual(['Start', 'About us']);
  });
});
