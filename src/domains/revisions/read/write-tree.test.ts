import { describe, expect, test } from 'vitest';
import {
  buildTree,
  childrenOf,
  findPage,
  hasSlug,
  type ContentRecord,
  type PageRecord,
} from '../../../content-engine/tree/index.ts';
import { deriveKeys } from '../../../platform/keys.ts';
import { presentPageAt, type Shown } from '../present.ts';
import { writePage, writePages } from './write-tree.ts';

const position = (index: number): string => `a${String(index).padStart(6, '0')}`;

const document = (id: string, index: number, parent?: string): ContentRecord =>
  ({
    kind: 'page',
    type: 'document',
    id,
    ...(parent !== undefined && { parent }),
    position: position(index),
    title: `Page "${id}" ü`,
    slug: id,
    document: 'x'.repeat(43),
  }) as ContentRecord;

const link = (id: string, index: number): ContentRecord =>
  ({
    kind: 'page',
    type: 'link',
    id,
    position: position(index),
    title: id,
    target: { kind: 'url', url: 'https://example.org' },
  }) as ContentRecord;

const shownOf = (records: readonly ContentRecord[]): Shown & { readonly isFront: boolean } =>
  ({
    row: { space_id: 'space' },
    tree: buildTree(records),
    addresses: { of: (path: string) => `https://octavo.test${path}` },
    keys: deriveKeys('a master key that is long enough to be one'),
    computed: true,
    isFront: false,
  }) as unknown as Shown & { readonly isFront: boolean };

/** The pages as one value. */
const nested = (shown: Shown, parent: string | undefined, prefix: string): object[] =>
  childrenOf(shown.tree, parent).map((id) => {
    const page = findPage(shown.tree, id) as PageRecord;
    const path = hasSlug(page) ? prefix + page.slug : '';
    const presented = presentPageAt(shown, page, path);
    return hasSlug(page) ? { ...presented, pages: nested(shown, id, `${path}/`) } : presented;
  });

const MIXED = [
  link('first', 0),
  document('a', 1),
  document('b', 2, 'a'),
  document('c', 3, 'b'),
  document('d', 4, 'a'),
  link('last', 5),
];

describe('the pages of a tree', () => {
  test.each([
    ['none', []],
    ['a small one', MIXED],
    [
      'a large one',
      [
        ...MIXED,
        ...Array.from({ length: 3000 }, (_each, n) => document(`p${n}`, n + 6, n % 2 ? 'c' : undefined)),
      ],
    ],
  ])('are written as JSON.stringify writes them: %s', (_name, records) => {
    const shown = shownOf(records);
    const expected = JSON.stringify({ pages: nested(shown, undefined, '') });
    expect(writePages(shown).toString() === expected).toBe(true);
  });

  test('are below each page of them', () => {
    const shown = shownOf(MIXED);
    const written = JSON.parse(writePage(shown, findPage(shown.tree, 'b') as PageRecord).toString());
    expect(written).toMatchObject({ id: 'b', path: 'a/b', pages: [{ id: 'c', path: 'a/b/c', pages: [] }] });
  });
});
