import { expect, test } from 'vitest';
import { at, read, write } from '../../../../test/import-export.ts';
import type { Hash, Load } from '../../../content-engine/map/index.ts';
import { applyChanges, type Change, type Tree } from '../../../content-engine/tree/index.ts';
import { bodiesOf, folderOf, type FolderFiles } from './folder-files.ts';

const PAGES = 300;
const names = Array.from({ length: PAGES }, (_, index) => `p${index}`);
const folder = {
  'README.md': '# Start\n\n[first](p0.md)\n',
  // Without a title of its own.
  'bare.md': 'Text.\n',
  'large.md': `# Large\n\n${'[zero](p0.md) and [one](p1.md)\n\n'.repeat(4000)}`,
  ...Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n\n${name}: see [zero](p0.md).\n`])),
  'SUMMARY.md': `* [Start](README.md)\n* [Bare](bare.md)\n* [Large](large.md)\n${names.map((name) => `* [${name}](${name}.md)\n`).join('')}`,
};
const content = read(folder);

function changed(...changes: Change[]): Tree {
  const applied = applyChanges(content.tree, changes, 1);
  if (!applied.ok) throw new Error('refused');
  return applied.tree;
}

const moved = changed(
  { operation: 'move_page', page: at(content.tree, 'p0.md').id, into: at(content.tree, 'p1.md').id },
  { operation: 'update_page', page: at(content.tree, 'bare.md').id, title: 'Renamed' },
);

/** Counts the texts that were loaded. */
function countingLoad() {
  const loaded: Hash[] = [];
  const load: Load = (hashes) => {
    loaded.push(...hashes);
    return Promise.resolve(hashes.map((hash) => Buffer.from(content.texts.get(hash) ?? '')));
  };
  return { loaded, load };
}

async function textsOf({ files }: FolderFiles): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const file of files) if ('text' in file) texts[file.path] = file.text;
  return texts;
}

test('a folder is the same as one that is written at once', async () => {
  const { load } = countingLoad();
  const files = await folderOf({ load, tree: moved, isFront: false });
  const texts = await textsOf(files);
  expect(texts).toEqual(write(moved, content));
  expect(files.count).toBe(Object.keys(texts).length);
  expect(texts['large.md']).toContain('(p1/p0.md)');
});

test('bodies are loaded while the files are read, a few at a time', async () => {
  const { load, loaded } = countingLoad();
  const { files } = await folderOf({ load, tree: moved, isFront: false });
  for await (const file of files) if ('text' in file && file.path !== 'SUMMARY.md') break;
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.length).toBeLessThan(PAGES / 2);
});

test('the body of one page alone is the same as in the folder', async () => {
  const { load } = countingLoad();
  const large = at(moved, 'large.md').id;
  const bodies = await bodiesOf({ load, tree: moved, isFront: false }, [large]);
  expect(bodies && (await textsOf(bodies))).toEqual({ 'large.md': write(moved, content)['large.md'] });
});

test('a text that is missing in the store fails the export', async () => {
  const load: Load = (hashes) => Promise.resolve(hashes.map(() => undefined));
  const exported = async () => textsOf(await folderOf({ load, tree: moved, isFront: false }));
  await expect(exported()).rejects.toThrow('is not in the store');
});
