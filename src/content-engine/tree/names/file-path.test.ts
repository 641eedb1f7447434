import { expect, test } from 'vitest';
import { pageRecord as page } from '../../../../test/page-record.ts';
import {
  applyChanges,
  buildTree,
  filePathOf,
  findPage,
  pathsIn,
  type Change,
  type DocumentPage,
  type Tree,
} from '../index.ts';

const SOURCE = { path: 'guide/install.md', frontmatter: '---\nx: 1\n---\n', titleLine: '# Install\n\n' };
const tree = buildTree([
  page('guide', { source: { path: 'guide/README.md' } }),
  page('install', { parent: 'guide', source: SOURCE }),
  page('docker', { parent: 'install', source: { path: 'guide/docker.md' } }),
  page('other'),
]);

function after(...changes: Change[]): Tree {
  const result = applyChanges(tree, changes, 1);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  expect(result.tree.problems.size).toBe(0);
  return result.tree;
}

const sourceIn = (tree: Tree, id: string) => (findPage(tree, id) as DocumentPage).source;

test('the file of a page is its source file, or is named after its path', () => {
  expect(filePathOf(tree, 'install')).toBe('guide/install.md');
  expect(filePathOf(tree, 'other')).toBe('other.md');
  expect(filePathOf(tree, 'nobody')).toBeUndefined();
  const changed = after(
    { operation: 'insert_page', id: 'a', title: 'A', document: 'h', into: 'other' },
    { operation: 'insert_page', id: 'g', title: 'G', type: 'group' },
  );
  expect(filePathOf(changed, 'a')).toBe('other/a.md');
  expect(filePathOf(changed, 'other'), 'a child moves nothing').toBe('other.md');
  expect(filePathOf(changed, 'g')).toBeUndefined();
});

test('a page whose file is taken gets that of a folder, then one with a number', () => {
  const changed = after(
    { operation: 'move_page', page: 'docker', into: 'guide' },
    { operation: 'update_page', page: 'docker', slug: 'x' },
    {
      operation: 'insert_page',
      id: 'd',
      title: 'Docker',
      document: 'h',
      into: 'guide',
      source: { path: 'guide/x.md' },
    },
    { operation: 'insert_page', id: 'e', title: 'Readme', document: 'h', into: 'guide' },
  );
  expect(filePathOf(changed, 'docker')).toBe('guide/x.md');
  expect(filePathOf(changed, 'd')).toBe('guide/docker.md');
  const pages = [page('a', { source: { path: 'b.md' } }), page('b'), page('b1', { slug: 'b-1' })];
  expect(filePathOf(buildTree(pages), 'b')).toBe('b/README.md');
  const folder = page('c', { source: { path: 'b/README.md' } });
  expect(['b', 'b1'].map((id) => filePathOf(buildTree([...pages, folder]), id))).toEqual([
    'b-2.md',
    'b-1.md',
  ]);
});

test('the file follows a page with a new position or slug; files of descendants stay', () => {
  const moved = after({ operation: 'move_page', page: 'install', into: 'other' });
  expect(sourceIn(moved, 'install')).toEqual({ ...SOURCE, path: 'other/install.md', former: SOURCE.path });
  expect(sourceIn(moved, 'docker')).toEqual({ path: 'guide/docker.md' });
  const renamed = after({ operation: 'update_page', page: 'install', slug: 'setup' });
  expect(sourceIn(renamed, 'install')?.path).toBe('guide/setup.md');
});

test('files of new and moved pages are beside those of their parent, as the folder spells it', () => {
  const spelled = buildTree([
    page('guides', { slug: 'user-guides', source: { path: 'User Guides/README.md' } }),
    page('setup', { parent: 'guides', source: { path: 'User Guides/Set_Up.md' } }),
    page('deploy', { slug: 'deploy-now', source: { path: 'Deploy_Now.md' } }),
    page('notes', { type: 'group', title: 'Notes', slug: 'release-notes' } as never),
    page('first', { parent: 'notes', source: { path: 'Release Notes/First.md' } }),
  ]);
  const paths = (...changes: Change[]): Tree => {
    const result = applyChanges(spelled, changes, 1);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.tree;
  };
  const insert = (into: string): Change => ({
    operation: 'insert_page',
    id: `in${into}`,
    title: 'New One',
    document: 'h',
    into,
  });
  const added = paths(insert('guides'), insert('setup'), insert('notes'), insert('deploy'));
  expect(['guides', 'setup', 'notes', 'deploy'].map((into) => filePathOf(added, `in${into}`))).toEqual([
    'User Guides/new-one.md',
    'User Guides/Set_Up/new-one.md',
    'Release Notes/new-one.md',
    'Deploy_Now/new-one.md',
  ]);
  const moved = paths({ operation: 'move_page', page: 'deploy', into: 'guides' });
  expect(filePathOf(moved, 'deploy')).toBe('User Guides/Deploy_Now.md');
  const renamed = paths({ operation: 'update_page', page: 'setup', slug: 'installation' });
  expect(filePathOf(renamed, 'setup')).toBe('User Guides/installation.md');
  const folder = paths({ operation: 'move_page', page: 'guides', into: 'deploy' });
  expect(filePathOf(folder, 'guides')).toBe('Deploy_Now/user-guides.md');
});

test('the file stays with another title, body or order', () => {
  const changed = after(
    { operation: 'update_page', page: 'install', title: 'Setup', document: 'other' },
    { operation: 'move_page', page: 'other', at: 0 },
  );
  expect(sourceIn(changed, 'install')).toEqual(SOURCE);
});

test('a restored page gets its file back, or another if that is taken', () => {
  const before = findPage(tree, 'install');
  const revert: Change = { operation: 'revert_page', page: 'install', to: before };
  const moved: Change = { operation: 'move_page', page: 'install', into: null };
  expect(sourceIn(after(moved, revert), 'install')).toEqual(SOURCE);
  const taker: Change = {
    operation: 'insert_page',
    id: 'b',
    title: 'B',
    document: 'h',
    source: { path: 'guide/install.md' },
  };
  expect(sourceIn(after(moved, taker, revert), 'install')?.path).toBe('guide/install/README.md');
});

/** Counts how often a shard of a map is read. */
function countReads(map: Tree['sources']): () => number {
  let reads = 0;
  const shards = new Proxy(map.shards, {
    get(target, name) {
      if (/^\d+$/.test(String(name))) reads++;
      return Reflect.get(target, name) as unknown;
    },
  });
  Object.defineProperty(map, 'shards', { value: shards });
  return () => reads;
}

test('a free name among thousands is found with few lookups, once', () => {
  const taken = ['a.md', 'a/README.md', ...Array.from({ length: 4990 }, (_, i) => `A-${i + 1}.md`)];
  const others = taken.map((path, i) => page(`other${i}`, { source: { path } }));
  const tree = buildTree([page('a'), ...others]);
  const { fileOf } = pathsIn(tree);
  const reads = countReads(tree.sources);
  expect(fileOf('a')).toBe('a-4991.md');
  const first = reads();
  expect(first).toBeLessThan(100);
  expect(fileOf('a')).toBe('a-4991.md');
  expect(reads()).toBe(first);
});
