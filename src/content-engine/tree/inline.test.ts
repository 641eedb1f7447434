import { describe, expect, test } from 'vitest';
import { hashOf } from '../map/index.ts';
import { fromBlob, fullLayout, inline, isElsewhere, layoutDifference, type LinkTable } from './index.ts';

describe('a value in a record', () => {
  test('stands there while it is short, and elsewhere when it is long', () => {
    expect(inline('---\n---\n')).toEqual({ value: '---\n---\n' });
    const table: LinkTable = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`x${i}.md`, { kind: 'page', page: `p${i}` }] as const),
    );
    const { value, blob } = inline(table);
    expect(isElsewhere(value)).toBe(true);
    expect(value).toEqual({ hash: hashOf(blob ?? '') });
    expect(fromBlob(blob ?? '')).toEqual(table);
    const odd: LinkTable = { hash: { kind: 'page', page: 'p' } };
    expect(isElsewhere(inline(odd).value)).toBe(false);
  });

  test('is only what differs from the default, for a layout', () => {
    expect(layoutDifference({ title: true, width: 'wide' })).toEqual({ width: 'wide' });
    expect(layoutDifference({ title: true })).toBeUndefined();
    expect(fullLayout({ outline: false })).toMatchObject({ outline: false, title: true, width: 'default' });
  });
});
