import { describe, expect, test } from 'vitest';
import { hashOf } from '../map/index.ts';
import {
  FOLDER_ID,
  fromBlob,
  fullLayout,
  inline,
  isOutOfLine,
  referencesOf,
  type LinkTable,
} from './index.ts';
import { layoutDifference } from './fields/page-layout.ts';

describe('a value in a record', () => {
  test('is inline if it is short, and out of line if it is long', () => {
    expect(inline('---\n---\n')).toEqual({ value: '---\n---\n' });
    const table: LinkTable = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`x${i}.md`, { kind: 'page', page: `p${i}` }] as const),
    );
    const { value, blob } = inline(table);
    expect(isOutOfLine(value)).toBe(true);
    expect(value).toEqual({ hash: hashOf(blob ?? '') });
    expect(fromBlob(blob ?? '')).toEqual(table);
    const unusual: LinkTable = { hash: { kind: 'page', page: 'p' } };
    expect(isOutOfLine(inline(unusual).value)).toBe(false);
  });

  test('of a layout has only differences from the default', () => {
    expect(layoutDifference({ title: true, width: 'wide' })).toEqual({ width: 'wide' });
    expect(layoutDifference({ title: true })).toBeUndefined();
    expect(fullLayout({ outline: false })).toMatchObject({ outline: false, title: true, width: 'default' });
  });

  test('is found by the garbage collector', () => {
    const page = { kind: 'page', type: 'document', title: 'P', slug: 'p', position: 'a0' } as const;
    const source = { path: 'p.md', frontmatter: { hash: 'f' }, titleLine: '# P\n' };
    expect(referencesOf({ ...page, id: 'p', document: 'd', links: { hash: 'l' }, source })).toEqual({
      documents: ['d', 'l', 'f'],
      files: [],
    });
    expect(
      referencesOf({ ...page, id: 'p', document: 'd', source: { path: 'p.md', frontmatter: 'short' } }),
    ).toEqual({
      documents: ['d'],
      files: [],
    });
    const summary = { path: 'SUMMARY.md', text: { hash: 's' } };
    expect(referencesOf({ id: FOLDER_ID, kind: 'folder', summary }).documents).toEqual(['s']);
    const file = { id: 'f', kind: 'file', name: 'f', contentType: 'x', size: 1, hash: 'h' } as const;
    expect(referencesOf(file)).toEqual({ documents: [], files: ['h'] });
  });
});
