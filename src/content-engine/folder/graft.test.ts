import { expect, describe, test } from 'vitest';
import { at, read, write, type Texts } from '../../../test/import-export.ts';
import {
  buildTree,
  childrenOf,
  depthOf,
  findPage,
  pathOf,
  variablesOf,
  walkPages,
  type ContentRecord,
  type LinkTable,
  type Tree,
} from '../tree/index.ts';
import { hashOf } from '../map/index.ts';
import { movedHrefs } from '../links/index.ts';
import { graft } from './graft.ts';

const EMPTY = buildTree([]);
const NOW = 5000;

const GUIDE: Texts = {
  'README.md': '# Guide\n\n[Install](guide/install.md) ![Logo](.gitbook/assets/logo.png)\n',
  'guide/install.md': '# Install\n\nBack to the [start](../README.md#top).\n',
  '.gitbook/assets/logo.png': 'not a picture',
};

/** Paths of all pages, in reading order. */
const outlineOf = (tree: Tree) => Array.from(walkPages(tree), ({ path, page }) => path ?? page.title);

const linksOf = (tree: Tree, path: string) => at(tree, path).links as Record<string, object>;

describe('into an empty space', () => {
  test('the folder is taken over: an export has the same bytes', () => {
    const folder = { ...GUIDE, 'SUMMARY.md': '# Contents\n\n* [Guide](README.md)\n', LICENSE: 'free' };
    const content = read(folder);
    const { tree, dropped } = graft(EMPTY, content.records, { now: NOW });
    expect(write(tree, content)).toEqual(folder);
    expect(dropped).toEqual([]);
    expect(at(tree, 'README.md')).toMatchObject({ createdAt: NOW, updatedAt: NOW });
  });
});

describe('into a space with content', () => {
  const before = read({ 'README.md': '# Old\n', 'guide/README.md': '# Old guide\n' }, undefined, 'old').tree;

  test('pages are added after the existing ones, with free slugs and paths', () => {
    const { tree } = graft(before, read(GUIDE).records, { now: NOW });
    expect(tree.problems.size).toBe(0);
    expect(outlineOf(tree)).toEqual(['readme', 'guide', 'readme-1', 'guide-1', 'guide-1/install']);
    expect(at(tree, 'README-1.md').title).toBe('Guide');
    expect(at(tree, 'guide/install.md').title).toBe('Install');
  });

  test('links between the pages lead to them', () => {
    const { tree } = graft(before, read(GUIDE).records, { now: NOW });
    const [install, readme] = [at(tree, 'guide/install.md'), at(tree, 'README-1.md')];
    expect(linksOf(tree, 'README-1.md')['guide/install.md']).toMatchObject({
      kind: 'page',
      page: install.id,
    });
    const links = linksOf(tree, 'guide/install.md');
    expect(links['../README.md#top']).toMatchObject({ page: readme.id });
    const moved = movedHrefs(tree, install.id, install.links as LinkTable);
    expect(moved.get('../README.md#top')).toBe('../README-1.md#top');
  });

  test('what the space had is unchanged', () => {
    const { tree, changed } = graft(before, read(GUIDE).records, { now: NOW });
    for (const record of before.records.values()) {
      expect(tree.records.get(record.id)).toBe(record);
      expect(changed.has(record.id)).toBe(false);
    }
  });

  test('settings and unlisted files are not added, and named', () => {
    const summary = '# Contents\n\n* [Guide](README.md)\n';
    const content = read({ ...GUIDE, 'SUMMARY.md': summary, LICENSE: 'free' });
    const { tree, dropped } = graft(before, content.records, { now: NOW });
    expect(outlineOf(tree)).toEqual(['readme', 'guide', 'readme-1']);
    expect(dropped.map((each) => 'path' in each && each.path).toSorted()).toEqual([
      'LICENSE',
      'guide/install.md',
    ]);
    expect(tree.records.get('~folder')).toEqual(before.records.get('~folder'));
  });

  test('the root of the configuration is removed from paths', () => {
    const folder = { '.gitbook.yaml': 'root: ./docs/\n', 'docs/README.md': '# A\n', 'docs/b/c.md': '# C\n' };
    const { tree } = graft(before, read(folder).records, { now: NOW });
    expect(at(tree, 'b/c.md').title).toBe('C');
    expect(at(tree, 'README-1.md').title).toBe('A');
  });

  test('existing variables keep their values', () => {
    const variables = (text: string) => ({ ...GUIDE, '.gitbook/vars.yaml': text });
    const old = read(variables('name: Old\nsame: 1\n'), undefined, 'old').tree;
    const content = read(variables('name: New\nsame: 1\nadded: yes\n'));
    const { tree, dropped } = graft(old, content.records, { now: NOW });
    expect(variablesOf(tree)).toMatchObject({ name: 'Old', same: 1 });
    expect(variablesOf(tree)).toHaveProperty('added');
    expect(dropped.flatMap((each) => ('variable' in each ? [each.variable] : []))).toEqual(['name']);
  });
});

describe('below a page', () => {
  const before = read(
    { 'README.md': '# Start\n', 'api.md': '# Api\n', 'api/old.md': '# Old\n' },
    undefined,
    'old',
  ).tree;
  const parent = at(before, 'api.md').id;

  test('pages are its last children, and their files are in its directory', () => {
    const { tree } = graft(
      before,
      read(GUIDE).records.filter(({ kind }) => kind !== 'folder'),
      { parent, now: NOW },
    );
    expect(outlineOf(tree).slice(0, 3)).toEqual(['readme', 'api', 'api/old']);
    expect(at(tree, 'api/README.md').title).toBe('Guide');
    expect(at(tree, 'api/guide/install.md').title).toBe('Install');
  });

  test('pages that would be too deep become siblings of their parents', () => {
    const chain = (count: number, prefix: string): ContentRecord[] =>
      Array.from({ length: count }, (_, index) => ({
        id: `${prefix}${index}`,
        kind: 'page',
        type: 'document',
        title: 'Page',
        slug: 'page',
        position: 'a0',
        document: hashOf(''),
        ...(index === 0 ? {} : { parent: `${prefix}${index - 1}` }),
      }));
    const deep = buildTree(chain(20, 'old'));
    const { tree } = graft(deep, chain(20, 'new'), { parent: 'old19', now: NOW });
    expect(tree.problems.size).toBe(0);
    expect(depthOf(tree, 'new11')).toBe(32);
    expect(depthOf(tree, 'new19')).toBe(32);
    expect(childrenOf(tree, 'new10')).toHaveLength(9);
    const slugs = childrenOf(tree, 'new10').map((id) => pathOf(tree, id));
    expect(new Set(slugs).size).toBe(9);
  });
});

test('importing the same folder twice adds it twice', () => {
  let tree = EMPTY;
  for (const prefix of ['one', 'two', 'three'])
    tree = graft(tree, read(GUIDE, undefined, prefix).records, { now: NOW }).tree;
  expect(tree.problems.size).toBe(0);
  expect(outlineOf(tree)).toHaveLength(9);
  const paths = [...tree.sources.keys()].map((path) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
  expect(findPage(tree, at(tree, 'guide/install-2.md').id)?.title).toBe('Install');
});
