import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageRecord as page } from '../../../../test/page-record.ts';
import { foldPath, ownersOf, portablePath } from './portable-path.ts';
import { buildTree } from '../build/build-tree.ts';

describe('a generated path', () => {
  test.each([
    ['guide/install.md', 'guide/install.md'],
    ['größe 1.png', 'größe 1.png'],
    ['a:b*c?.png', 'a-b-c-.png'],
    ['<x>|"y"\\z', '-x---y--z'],
    ['aux', 'aux-'],
    ['AUX.tar.gz', 'AUX-.tar.gz'],
    ['com1/nul.md', 'com1-/nul-.md'],
    ['console.md', 'console.md'],
    ['ends. . ', 'ends'],
    ['..', 'file'],
  ])('%j is %j', (path, portable) => {
    expect(portablePath(path)).toBe(portable);
    expect(portablePath(portable)).toBe(portable);
  });

  test('has names that every file system accepts, and that stay distinct when truncated', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 150, maxLength: 256 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [a, b] = [one, other].map((each) => portablePath(each.replaceAll('/', '-')));
        expect(Buffer.byteLength(a ?? '')).toBeLessThanOrEqual(204);
        expect(a).toMatch(/^[^/\\<>:"|?*]*[^. ]$/u);
        if (Buffer.byteLength(one) > 260 && Buffer.byteLength(other) > 260 && one !== other)
          expect(a).not.toBe(b);
      }),
    );
  });

  test('keeps the extension', () => {
    expect(portablePath(`${'長'.repeat(256)}.png`)).toMatch(/^長+-[0-9a-f]{8}\.png$/u);
  });
});

test('paths that differ only in case or Unicode normalization are one file', () => {
  expect(foldPath('Größe/A.md')).toBe(foldPath('GRÖSSE/a.md'.replace('SS', 'ß').normalize('NFD')));
  const tree = buildTree([
    page('one', { source: { path: 'A.md' } }),
    page('two', { source: { path: 'a.md' } }),
    page('three', { source: { path: 'b.md' } }),
  ]);
  expect(ownersOf(tree, 'a.MD').toSorted()).toEqual(['one', 'two']);
  expect(ownersOf(tree, 'c.md')).toEqual([]);
});
