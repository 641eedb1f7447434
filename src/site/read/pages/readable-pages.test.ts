import { describe, expect, test, vi } from 'vitest';
import { pageRecord } from '../../../../test/page-record.ts';
import { TooLargeHere } from '../../../platform/api/too-large-here.ts';
import { buildTree, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';
import * as parsing from '../../../content-engine/expressions/parse.ts';
import { readablePages } from './readable-pages.ts';
import type { Visitor } from '../visitor.ts';

/** The pages of a space with many conditions, for visitors of many classes. */

const PAGES = 3000;

const treeOf = (conditionOf: (index: number) => string): Tree =>
  buildTree(
    Array.from({ length: PAGES }, (_each, index): ContentRecord => {
      const number = String(index).padStart(5, '0');
      return {
        kind: 'page',
        type: 'document',
        id: `page${number}`,
        position: `a${number}`,
        title: `Page ${index}`,
        slug: `page-${index}`,
        document: 'x'.repeat(43),
        condition: conditionOf(index),
      } as ContentRecord;
    }),
  );

let classes = 0;
const newVisitor = (a: string): Visitor => ({
  claims: { signed: {}, unsigned: { a } },
  class: `class ${classes++}`,
  refusal: undefined,
});

const long = 'visitor.claims.unsigned.a !== "x"' + ' && !false'.repeat(60);

describe('conditions of pages', () => {
  test('are parsed once for all visitors', async () => {
    const tree = treeOf((index) => `visitor.claims.unsigned.a !== "${index % 10}"`);
    const parse = vi.spyOn(parsing, 'parse');
    const first = await readablePages({ isFront: false }, tree, newVisitor('3'));
    expect(first.documents).toHaveLength(PAGES * 0.9);
    const other = await readablePages({ isFront: false }, tree, newVisitor('none'));
    expect(other.isComplete).toBe(true);
    expect(parse).toHaveBeenCalledTimes(10);
  });

  test('beyond the limit of nodes hide their pages', async () => {
    const tree = treeOf((index) => (index < 10 ? long + ' && !false'.repeat(20) : long));
    expect((await readablePages({ isFront: false }, tree, newVisitor('y'))).documents).toHaveLength(
      PAGES - 10,
    );
  });

  test('that are long are left to the heavy process, and are not evaluated again', async () => {
    const tree = treeOf(() => long);
    const visitor = newVisitor('y');
    await expect(readablePages({ isFront: true }, tree, visitor)).rejects.toThrow(TooLargeHere);
    const pages = await readablePages({ isFront: false }, tree, visitor);
    expect(pages.documents).toHaveLength(PAGES);
    expect(await readablePages({ isFront: true }, tree, visitor)).toBe(pages);
  });
});

/** A page or another entry of the tree. */
const record = (id: string, fields: object): ContentRecord =>
  ({ ...pageRecord(id, { position: id }), ...fields }) as ContentRecord;

describe('the first page of a group', () => {
  const first = async (records: readonly ContentRecord[], id: string) =>
    (await readablePages({ isFront: false }, buildTree(records), newVisitor('y'))).firstBelow(id)?.id;

  test('is the first listed page below it', async () => {
    const records = [
      record('group', { type: 'group' }),
      record('a-hidden', { parent: 'group', hidden: true }),
      record('b-never', { parent: 'group', condition: 'false' }),
      record('c-link', { parent: 'group', type: 'link', target: { kind: 'url', url: 'https://a.example' } }),
      record('d-page', { parent: 'group' }),
      record('e-below', { parent: 'd-page' }),
      record('f-second', { parent: 'group' }),
      record('empty', { type: 'group' }),
      record('secret', { type: 'group', condition: 'false' }),
      record('in-secret', { parent: 'secret' }),
    ];
    expect(await first(records, 'group')).toBe('d-page');
    for (const id of ['a-hidden', 'd-page', 'f-second']) expect(await first(records, id)).toBe(id);
    for (const id of ['b-never', 'empty', 'secret', 'in-secret'])
      expect(await first(records, id)).toBe(undefined);
  });

  test('is known without a walk through the pages below it', async () => {
    const records = Array.from({ length: PAGES }, (_each, index) =>
      record(`page${index}`, { parent: 'group' }),
    );
    const tree = buildTree([record('group', { type: 'group' }), ...records]);
    const pages = await readablePages({ isFront: false }, tree, newVisitor('y'));
    const children = vi.spyOn(tree.children, 'get');
    const find = vi.spyOn(tree.records, 'get');
    expect(pages.firstBelow('group')?.id).toBe('page0');
    expect(children.mock.calls.length + find.mock.calls.length).toBeLessThan(10);
  });
});

describe('pages with a path that is too long', () => {
  const nested = (depth: number, condition?: string) =>
    Array.from({ length: depth }, (_each, level) =>
      record(`page${level}`, {
        slug: '文'.repeat(100),
        ...(level > 0 && { parent: `page${level - 1}` }),
        ...(level === depth - 1 && { condition }),
      }),
    );

  test('are not on the site', async () => {
    const pages = await readablePages({ isFront: false }, buildTree(nested(5)), newVisitor('y'));
    // Each level has 901 characters.
    expect(pages.documents.map(({ id }) => id)).toEqual(['page0', 'page1']);
    expect(['page1', 'page2', 'page4'].map((id) => pages.mayRead(id))).toEqual([true, false, false]);
    expect(pages.children('page1')).toEqual([]);
  });

  test('are hidden by conditions all the same', async () => {
    const isComplete = async (condition?: string) =>
      (await readablePages({ isFront: false }, buildTree(nested(5, condition)), newVisitor('y'))).isComplete;
    expect(await isComplete()).toBe(true);
    expect(await isComplete('false')).toBe(false);
  });
});
