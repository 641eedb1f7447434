import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NavigationItem } from '../../../../content-engine/html/index.ts';
import { MAX_DEPTH } from '../../../../content-engine/tree/index.ts';
import { SiteTree, type SitePage } from './site-tree.ts';

const ROOT = 'https://h.example/docs';

/** `- a` is the page /docs/a below the entry before it; `[Title]` is a title without a page. */
function navigation(...lines: string[]): NavigationItem[] {
  return lines.map((line) => {
    const [, dashes = '', text = ''] = /^((?:- )*)(.*)$/.exec(line) ?? [];
    const depth = dashes.length / 2 + 1;
    const group = /^\[(.*)\]$/.exec(text)?.[1];
    return group === undefined ? { depth, title: text, url: `${ROOT}/${text}` } : { depth, title: group };
  });
}

/** The outline in the notation of `navigation`. `paths`: the pages that were imported. */
function outlineOf(tree: SiteTree, paths: readonly string[]): string[] {
  const pages = paths.map((path): SitePage => ({
    identity: path ? `${ROOT}/${path}` : ROOT,
    path: `${path || 'README'}.md`,
  }));
  const byIdentity = new Map(pages.map((page) => [page.identity, page]));
  const rows = tree.outline({
    pages,
    pageOf: (identity) => byIdentity.get(identity),
    start: byIdentity.get(ROOT),
    root: ROOT,
    addSection: (title, parentPath) => `${parentPath ?? ''}>${title}`,
  });
  return rows.map((row) => {
    const text =
      row.type === 'document' ? row.path.replace(/\.md$/, '') : row.type === 'group' && `[${row.title}]`;
    return `${'- '.repeat(row.depth - 1)}${text}`;
  });
}

function merged(...navigations: NavigationItem[][]): SiteTree {
  const tree = new SiteTree();
  for (const each of navigations) tree.merge(each);
  return tree;
}

describe('SiteTree', () => {
  it('has the order of the navigation', () => {
    const tree = merged(navigation('a', '- b', '- c', 'd'));
    expect(outlineOf(tree, ['d', 'c', 'b', 'a'])).toEqual(['a', '- b', '- c', 'd']);
  });

  it('adds the children that only the navigation of their section shows', () => {
    const tree = merged(
      navigation('a', 'b', 'c'),
      navigation('a', 'b', '- b1', '- b2', 'c'),
      navigation('a', '- a1', 'b', 'c'),
    );
    expect(outlineOf(tree, ['a', 'b', 'c', 'a1', 'b1', 'b2'])).toEqual([
      'a',
      '- a1',
      'b',
      '- b1',
      '- b2',
      'c',
    ]);
  });

  it('inserts a new entry after its predecessor, and an entry without one at the beginning', () => {
    const tree = merged(navigation('a', 'c'), navigation('a', 'b', 'c'), navigation('z', 'a'));
    expect(outlineOf(tree, ['a', 'b', 'c', 'z'])).toEqual(['z', 'a', 'b', 'c']);
  });

  it('has navigations without a common entry one after the other', () => {
    const tree = merged(
      navigation('[One]', '- a'),
      navigation('[Two]', '- b'),
      navigation('[Two]', '- c', '- b'),
    );
    expect(outlineOf(tree, ['a', 'b', 'c'])).toEqual(['[One]', '- a', '[Two]', '- c', '- b']);
  });

  it('keeps an entry where it was found first', () => {
    const tree = merged(navigation('a', '- b', 'c'), navigation('c', '- b', '- d', 'a'));
    expect(outlineOf(tree, ['a', 'b', 'c', 'd'])).toEqual(['a', '- b', 'c', '- d']);
  });

  it('makes groups of titles at the root, and sections of titles further down', () => {
    const tree = merged(
      navigation('[Guides]', '- a', '- [More]', '- - b', '[Empty]', '- [Nothing]'),
      navigation('[Guides]', '- [More]', '- - c'),
    );
    expect(outlineOf(tree, ['a', 'b', 'c'])).toEqual(['[Guides]', '- a', '- >More', '- - c', '- - b']);
  });

  it('leaves out entries that were not imported, unless they have imported children', () => {
    const tree = merged(navigation('gone', 'a', 'parent', '- b', '- gone2'));
    expect(outlineOf(tree, ['a', 'b'])).toEqual(['a', '[parent]', '- b']);
  });

  it('places pages in no navigation by their URLs, and the start page first', () => {
    const tree = merged(navigation('a', 'b'));
    const pages = ['a/x/y', '', 'a', 'b', 'other', 'a/x', 'b/1/2'];
    expect(outlineOf(tree, pages)).toEqual(['README', 'a', '- a/x', '- - a/x/y', 'b', '- b/1/2', 'other']);
  });

  it('lists a page with two URLs once, and not below itself', () => {
    const tree = merged(navigation('alias', '- a', 'x'));
    const page = { identity: `${ROOT}/alias/a`, path: 'a.md' };
    const rows = tree.outline({
      pages: [page],
      pageOf: () => page,
      start: undefined,
      root: ROOT,
      addSection: () => '',
    });
    expect(rows).toEqual([{ type: 'document', depth: 1, path: 'a.md', label: 'alias' }]);
    const unlisted = new SiteTree().outline({
      pages: [page],
      pageOf: () => page,
      start: undefined,
      root: ROOT,
      addSection: () => '',
    });
    expect(unlisted).toEqual([{ type: 'document', depth: 1, path: 'a.md' }]);
  });

  it('is flat beyond the greatest depth, however deep merged navigations are', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
    const tree = new SiteTree();
    for (const [index, name] of names.entries()) {
      tree.merge(index === 0 ? navigation(name) : navigation(names[index - 1] ?? '', `- ${name}`));
    }
    const rows = outlineOf(tree, names);
    expect(rows).toHaveLength(names.length);
    expect(rows.at(-1)).toBe(`${'- '.repeat(MAX_DEPTH - 1)}p19999`);
  });

  it('has the lists of chapters below their pages, in whatever order they are found', () => {
    const tree = new SiteTree();
    tree.merge(navigation('b2', 'b1'), `${ROOT}/b`);
    tree.merge(navigation('c', 'b'));
    tree.merge(navigation('b2', 'd'), `${ROOT}/b1`);
    expect(outlineOf(tree, ['b', 'b1', 'b2', 'c', 'd'])).toEqual(['c', 'b', '- b2', '- b1', '- - d']);
  });

  it('lists every page once if chapters list each other', () => {
    const tree = new SiteTree();
    tree.merge(navigation('b'), `${ROOT}/a`);
    tree.merge(navigation('a', 'c'), `${ROOT}/b`);
    tree.merge(navigation('c'), `${ROOT}/c`);
    expect(outlineOf(tree, ['a', 'b', 'c'])).toEqual(['a', '- b', '- - c']);
  });

  it('reports a navigation that was merged before', () => {
    const tree = new SiteTree();
    expect(tree.merge(navigation('a', 'b'))).toBe(true);
    expect(tree.merge(navigation('a', 'b'))).toBe(false);
    expect(tree.merge(navigation('b', 'a'))).toBe(true);
  });

  /** The preorder of a tree as depths: each is at most one more than the one before. */
  const trees = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }).map((steps) => {
    let depth = 0;
    return steps.map((step) => (depth = Math.min(depth + 1, step + 1)));
  });

  it('is the whole tree if each page shows its ancestors, siblings and children', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.nat(), { maxLength: 40 }), (depths, order) => {
        const names = depths.map((_, index) => `p${index}`);
        const parents = depths.map((depth, index) => depths.slice(0, index).lastIndexOf(depth - 1));
        const isShown = (index: number, current: number): boolean => {
          const parent = parents[index] ?? -1;
          for (let at = current; at >= 0; at = parents[at] ?? -1) if (parent === at) return true;
          return parent === -1;
        };
        const shownOn = (current: number) =>
          navigation(
            ...depths.flatMap((depth, index) =>
              isShown(index, current) ? [`${'- '.repeat(depth - 1)}${names[index]}`] : [],
            ),
          );
        const visited = [...order.map((each) => each % depths.length), ...depths.keys()];
        const tree = merged(...visited.map(shownOn));
        expect(outlineOf(tree, names)).toEqual(
          depths.map((depth, index) => `${'- '.repeat(depth - 1)}${names[index]}`),
        );
      }),
    );
  });

  it('keeps the order of the first navigation and lists every page once, whatever follows', () => {
    const anyNavigation = fc.array(
      fc.record({ depth: fc.integer({ min: 1, max: 5 }), name: fc.integer({ min: 0, max: 15 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.array(anyNavigation, { minLength: 1, maxLength: 6 }), (navigations) => {
        const items = navigations.map((each) =>
          navigation(...each.map(({ depth, name }) => `${'- '.repeat(depth - 1)}p${name}`)),
        );
        const names = Array.from({ length: 16 }, (_, index) => `p${index}`);
        const rows = outlineOf(merged(...items), names).map((row) => row.replaceAll('- ', ''));
        expect(rows.toSorted()).toEqual(names.toSorted());
        const first = [...new Set(items[0]?.map(({ title }) => title))];
        const isListed = new Set(first);
        const isTree = new Set(items[0]?.map(({ title }) => title)).size === items[0]?.length;
        if (isTree) expect(rows.filter((row) => isListed.has(row))).toEqual(first);
      }),
    );
  });
});
