import { describe, expect, test } from 'vitest';
import { at, read, write, writeFolder } from '../../../test/import-export.ts';
import { pageRecord as page } from '../../../test/page-record.ts';
import { applyChanges, buildTree, type Tree } from '../tree/index.ts';

describe('file names', () => {
  const file = (id: string, name: string) => ({
    id,
    kind: 'file' as const,
    name,
    contentType: 'image/png',
    size: 1,
    hash: `hash-${id}`,
  });
  const pathsOf = (tree: Tree) => writeFolder(tree, () => '').map(({ path }) => path);

  test('that we generate differ on every file system, also from SUMMARY.md', () => {
    const tree = buildTree([
      page('first', { position: 'a0' }),
      page('summary'),
      page('aux', { title: 'Aux' }),
      page('con', { parent: 'aux' }),
      page('long', { slug: '長'.repeat(100), title: 'Long' }),
      file('f1', 'Logo.png'),
      file('f2', 'logo.PNG'),
      file('f3', 'x'.repeat(256)),
      file('f4', `${'é'.repeat(250)}.png`),
      file('f5', 'e\u0301.png'),
      file('f6', '\u00e9.png'),
      file('f7', 'a:b?.png'),
    ]);
    const paths = pathsOf(tree);
    expect(paths).toHaveLength(13);
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(13);
    expect(paths).toEqual(
      expect.arrayContaining(['SUMMARY.md', 'summary/README.md', 'aux-.md', 'aux-/con-.md']),
    );
    expect(paths).toContain('.gitbook/assets/logo-1.PNG');
    for (const name of paths.flatMap((path) => path.split('/'))) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/[<>:"|?*\\]|[. ]$/u);
    }
  });

  test('of an imported folder are exported unchanged', () => {
    const folder = {
      'SUMMARY.md': '* [A](a.md)\n* [B](A.md)\n* [C](summary.md)\n',
      'a.md': '# A\n',
      'A.md': '# B\n',
      'summary.md': '# C\n',
      'aux.md': '# Not listed\n',
      'x?. ': 'odd',
      [`${'n'.repeat(251)}.png`]: 'long',
      'e\u0301.png': 'one',
      '\u00e9.png': 'other',
    };
    const content = read(folder);
    expect(write(content.tree, content)).toEqual(folder);
  });

  test('of a moved page do not collide with files that differ only in case', () => {
    const content = read({ 'SUMMARY.md': '* [A](a.md)\n* [B](B.md)\n', 'a.md': '# A\n', 'B.md': '# B\n' });
    const applied = applyChanges(
      content.tree,
      [{ operation: 'update_page', page: at(content.tree, 'a.md').id, slug: 'summary' }],
      1,
    );
    if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
    expect(Object.keys(write(applied.tree, content)).toSorted()).toEqual([
      'B.md',
      'SUMMARY.md',
      'summary/README.md',
    ]);
  });
});
