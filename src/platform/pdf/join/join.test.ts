import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentRef } from '../../../content-engine/document/index.ts';
import { parseDocument } from '../../../content-engine/markdown/index.ts';
import { frontOf, pictureKey, typesetBook } from '../../../content-engine/render/typst/index.ts';
import { createPdf } from '../index.ts';

const PATIENCE = 120_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPg5GBHRgwE+AAiDgFp5shY3AAAAABJRU5ErkJggg==',
  'base64',
);
const PAGES = ['One', 'Two', 'Three'];

/** So many images that no two pages fit into a part. */
const IMAGES = 39;
const bodyOf = (page: string): string =>
  [
    `[to three](/Three) [to a heading](/Three#end-of-three) [out](<https://example.org/5 0 R>)`,
    '| Head (1 0 R) | Second |\n| --- | --- |\n| a | b |',
    ...Array.from({ length: IMAGES }, (_, n) => `![${page} ${n}](${page}-${n}.png)`),
    `## End of ${page} (4 0 R`,
  ].join('\n\n');

function resolve({ href }: { href: string }): ContentRef | undefined {
  const [, page, anchor] = /^\/(\w+)(?:#(.*))?$/.exec(href) ?? [];
  if (page === undefined) return undefined;
  return anchor === undefined
    ? { kind: 'page', page }
    : { kind: 'anchor', page, anchor: 'end-of-three-4-0-r' };
}

let document: PDFDocument;
let bytes: Buffer;
/** Keys of the images that were asked for. */
const read: string[] = [];

beforeAll(async () => {
  const pages = PAGES.map((id, index) => ({
    id,
    title: `${id} (${index} 0 R)`,
    depth: index === 0 ? 0 : 1,
    document: parseDocument(bodyOf(id), { resolve }),
  }));
  const pictures = new Set(PAGES.flatMap((id) => Array.from({ length: IMAGES }, (_, n) => `${id}-${n}.png`)));
  const typeset = typesetBook({ title: 'Parts', language: 'fr', pages, pictures });
  bytes = await createPdf({ limitMs: PATIENCE }).make({
    owner: 'somebody',
    signal: new AbortController().signal,
    write: () =>
      Promise.resolve({
        ...typeset,
        front: (numberOf) => frontOf(typeset, numberOf),
        readFile(path) {
          const ref = typeset.pictures.get(path);
          if (ref) read.push(pictureKey(ref));
          return Promise.resolve(PNG);
        },
      }),
  });
  document = await PDFDocument.load(bytes, { updateMetadata: false });
}, PATIENCE);

const dict = (value: unknown): PDFDict => {
  const found = value instanceof PDFRef ? document.context.lookup(value) : value;
  if (!(found instanceof PDFDict)) throw new Error(`${String(value)} is no dictionary`);
  return found;
};
const at = (from: PDFDict, name: string): unknown => from.lookup(PDFName.of(name));
const items = (from: PDFDict, name: string): unknown[] => {
  const value = at(from, name);
  return value instanceof PDFArray ? value.asArray() : [];
};
const textOf = (value: unknown): string =>
  value instanceof PDFHexString || value instanceof PDFString ? value.decodeText() : String(value);
const numberOf = (value: unknown): number => (value instanceof PDFNumber ? value.asNumber() : Number.NaN);
const pageIndex = (destination: unknown): number =>
  document.getPages().findIndex(({ ref }) => ref === (destination as PDFArray).get(0));

interface Entry {
  readonly title: string;
  readonly page: number;
  readonly below: Entry[];
}
function outlineOf(parent: PDFDict): Entry[] {
  const entries: Entry[] = [];
  for (let item = at(parent, 'First'); item instanceof PDFDict; item = at(item, 'Next')) {
    entries.push({
      title: textOf(at(item, 'Title')),
      page: pageIndex(at(item, 'Dest')),
      below: outlineOf(item),
    });
  }
  return entries;
}

const annotations = (): { page: number; annotation: PDFDict; ref: PDFRef }[] =>
  document
    .getPages()
    .flatMap(({ node }, page) =>
      items(node, 'Annots').map((ref) => ({ page, annotation: dict(ref), ref: ref as PDFRef })),
    );

/** The leaves of a tree of numbers or names, in order. */
function leavesOf(tree: PDFDict, name: 'Nums' | 'Names'): [unknown, unknown][] {
  const own = items(tree, name);
  const pairs = own.flatMap((key, index) =>
    index % 2 === 0 ? [[key, own[index + 1]] as [unknown, unknown]] : [],
  );
  return [...pairs, ...items(tree, 'Kids').flatMap((kid) => leavesOf(dict(kid), name))];
}

describe('a document of several parts', () => {
  it('reads each image once', () => {
    expect(read).toHaveLength(PAGES.length * IMAGES);
    expect(new Set(read).size).toBe(read.length);
  });

  it('has one outline, nested as the pages are, whatever part they are in', () => {
    const [first, ...others] = outlineOf(dict(at(document.catalog, 'Outlines')));
    expect(others).toEqual([]);
    expect(first?.title).toBe('One (0 0 R)');
    expect(first?.below.map(({ title }) => title)).toEqual([
      'End of One (4 0 R',
      'Two (1 0 R)',
      'Three (2 0 R)',
    ]);
    expect(first?.below[2]?.below.map(({ title }) => title)).toEqual(['End of Three (4 0 R']);
    const starts = [first, first?.below[1], first?.below[2]].map((entry) => entry?.page ?? -1);
    expect(starts[0]).toBe(2);
    expect(new Set(starts).size).toBe(3);
    expect(starts.toSorted((a, b) => a - b)).toEqual(starts);
  });

  it('numbers its pages through, those before the first one apart', () => {
    const labels = items(dict(at(document.catalog, 'PageLabels')), 'Nums');
    expect(numberOf(labels[2])).toBe(2);
    const [first] = outlineOf(dict(at(document.catalog, 'Outlines')));
    const contents = annotations().filter(({ page }) => page === 1);
    const targets = new Set(contents.map(({ annotation }) => pageIndex(at(dict(at(annotation, 'A')), 'D'))));
    expect([...targets]).toEqual([first?.page, first?.below[1]?.page, first?.below[2]?.page]);
  });

  it('has links that lead from one part into another, and names what they lead to', () => {
    const [first] = outlineOf(dict(at(document.catalog, 'Outlines')));
    const three = first?.below[2];
    const links = annotations()
      .filter(({ page }) => page === 2)
      .map(({ annotation }) => ({
        action: dict(at(annotation, 'A')),
        label: textOf(at(annotation, 'Contents')),
      }));
    expect(links.map(({ action }) => String(at(action, 'S')))).toEqual(['/GoTo', '/GoTo', '/URI']);
    expect(links.slice(0, 2).map(({ action }) => pageIndex(at(action, 'D')))).toEqual([
      three?.page,
      three?.below[0]?.page,
    ]);
    expect(links.map(({ label }) => label)).toEqual([
      'Three (2 0 R)',
      'End of Three (4 0 R',
      'https://example.org/5 0 R',
    ]);
    expect(textOf(at(links[2]?.action as PDFDict, 'URI'))).toBe('https://example.org/5 0 R');
    expect(bytes.includes('place:')).toBe(false);
  });

  it('is tagged as one: every page and link is found in the tree of tags, and no id is there twice', () => {
    const root = dict(at(document.catalog, 'StructTreeRoot'));
    const [whole] = items(root, 'K').map(dict);
    expect(String(at(whole as PDFDict, 'S'))).toBe('/Document');
    const parts = items(whole as PDFDict, 'K').map((part) => String(at(dict(part), 'S')));
    expect(parts.length).toBeGreaterThan(2);
    expect(new Set(parts)).toEqual(new Set(['/Part']));
    const parents = new Map(
      leavesOf(dict(at(root, 'ParentTree')), 'Nums').map(([key, value]) => [numberOf(key), value]),
    );
    expect([...parents.keys()]).toEqual(Array.from(parents.keys(), (_, index) => index));
    for (const { node } of document.getPages()) {
      const element = parents.get(numberOf(at(node, 'StructParents')));
      expect(document.context.lookup(element as PDFRef)).toBeInstanceOf(PDFArray);
    }
    for (const { annotation, ref } of annotations()) {
      const element = dict(parents.get(numberOf(at(annotation, 'StructParent'))));
      const held = items(element, 'K').flatMap((kid) =>
        kid instanceof PDFDict ? [kid.get(PDFName.of('Obj'))] : [],
      );
      expect(String(at(element, 'S'))).toBe('/Link');
      expect(held).toContain(ref);
    }
    const ids = leavesOf(dict(at(root, 'IDTree')), 'Names').map(([key]) => textOf(key));
    expect(ids.length).toBeGreaterThanOrEqual(PAGES.length * 2);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(at(document.catalog, 'Lang')).toEqual(PDFString.of('fr'));
  });
});
