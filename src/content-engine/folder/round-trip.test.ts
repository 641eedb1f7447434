import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeFolder } from '../../../test/import-export.ts';
import { linkTable, targetOf } from '../links/index.ts';
import { hashOf } from '../map/index.ts';
import { hrefsOf } from '../markdown/index.ts';
import {
  applyChanges,
  buildTree,
  fromBlob,
  isOutOfLine,
  pathOf,
  variablesOf,
  walkPages,
  type Change,
  type ContentRecord,
  type ContentRef,
  type Inline,
  type LinkTable,
  type Tree,
} from '../tree/index.ts';
import { withReadmePage } from './write/readme-page.ts';
import { contentKinds, readFolder, readMarkdown, splitMarkdown, textOf, type FolderFile } from './index.ts';

const encoder = new TextEncoder();
const counter = (prefix: string) => {
  let count = 0;
  return () => `${prefix}${count++}`;
};

type WholeFile = Extract<FolderFile, { readonly bytes: Uint8Array }>;

function bytesOf(
  tree: Tree,
  texts: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, Uint8Array>,
): WholeFile[] {
  return writeFolder(tree, (hash) => texts.get(hash) ?? `no text ${hash}`).map((file) => ({
    path: file.path,
    bytes: 'text' in file ? encoder.encode(file.text) : (files.get(file.file) ?? new Uint8Array()),
  }));
}

const toPlain = (files: Iterable<WholeFile>) =>
  Object.fromEntries(Array.from(files, ({ path, bytes }) => [path, Buffer.from(bytes).toString('latin1')]));

const NAMES = ['README.md', 'a.md', 'b c.md', 'Ü.md', 'x.png', 'SUMMARY.md', 'LICENSE', 'v1.2.md', '100%.md'];
const DIRS = ['', 'g/', 'g/h/', 'pages/', '.gitbook/assets/', '.gitbook/includes/', '.hidden/', 'docs/'];
const path = fc.tuple(fc.constantFrom(...DIRS), fc.constantFrom(...NAMES)).map(([dir, name]) => dir + name);

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '# Title',
    '#',
    '# ',
    '## Group <a href="#g" id="g"></a>',
    '## Group',
    '***',
    'title: T',
    'description: a: b',
    'hidden: true',
    'cover: ../x.png',
    'coverY: 2',
    'tags: [a, b]',
    'layout:\n  width: wide',
    'vars:\n  a: 1\n  b: [x]',
    'icon: ',
    '* [Title](README.md)',
    '* [A](a.md "Nav \\"label\\"")',
    '  * [B](<b c.md>)',
    '  * [B](g/b%20c.md)',
    '    - [U](g/h/Ü.md#x)',
    '\t* [Tab](g/README.md)',
    '* [Out](https://example.org)',
    '* words',
    '* [Dir](g)',
    '* ```yaml\n  type: builtin:openapi\n  ```',
    '```yaml',
    '<!--',
    '-->',
    'root: ./docs/',
    'structure:\n  readme: a.md\n  summary: g/b c.md',
    '[x](a.md) ![y](../x.png) [z](<b c.md>) [w](/g/README.md#a) [p](/pages/g)',
    '{% include "../.gitbook/includes/a.md" %}',
    '{% hint style="info" %}',
    'text',
    '',
    '\uFEFF',
  ),
  fc.string({ maxLength: 10 }),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''));
const bytes = fc.oneof(
  { weight: 9, arbitrary: text.map((text) => encoder.encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 10 }) },
);
const special = fc.constantFrom('SUMMARY.md', '.gitbook.yaml', '.gitbook/vars.yaml', '.gitbook/tags.yaml');
const folder = fc.uniqueArray(fc.record({ path: fc.oneof({ weight: 3, arbitrary: path }, special), bytes }), {
  selector: ({ path }) => path,
  maxLength: 14,
});

describe('any folder', () => {
  test('is exported byte for byte as imported, and keeps its records when imported again', () => {
    fc.assert(
      fc.property(folder, (files) => {
        const content = readFolder(files, { newId: counter('id'), now: 1 });
        const tree = buildTree(content.records);
        expect(tree.problems.size).toBe(0);
        expect(toPlain(bytesOf(tree, content.texts, content.files))).toEqual(toPlain(files));
        const again = readFolder(files, { newId: counter('new'), now: 2, previous: tree });
        expect(again.records.filter((record) => record !== tree.records.get(record.id))).toEqual([]);
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});

/** The files as an import has them that stores the bodies of Markdown files while it reads them. */
function withStoredBodies(files: readonly WholeFile[]): FolderFile[] {
  const kindOf = contentKinds(files.find(({ path }) => path === '.gitbook.yaml')?.bytes);
  return files.map((file) => {
    const { path, bytes } = file;
    const kind = kindOf(path);
    const text = textOf(bytes);
    if (text === undefined || (kind !== 'page' && kind !== 'include')) return file;
    const { markdown } = readMarkdown(splitMarkdown(kind, text, path));
    const described = { contentType: 'application/octet-stream', hash: hashOf(bytes), size: bytes.length };
    return { path, markdown, described };
  });
}

describe('a folder whose bodies are stored while it is read', () => {
  test('becomes the same records', () => {
    fc.assert(
      fc.property(folder, (files) => {
        const whole = readFolder(files, { newId: counter('id'), now: 1 });
        const stored = readFolder(withStoredBodies(files), { newId: counter('id'), now: 1 });
        expect(stored.records).toEqual(whole.records);
        expect(new Set(stored.warnings)).toEqual(new Set(whole.warnings));
        const asFiles = [...stored.files.keys(), ...stored.unlisted.map((path) => hashAt(files, path))];
        expect(new Set(asFiles)).toEqual(new Set(whole.files.keys()));
      }),
      { numRuns: 500, seed: 12 },
    );
  });
});

const hashAt = (files: readonly WholeFile[], path: string) =>
  hashOf(files.find((file) => file.path === path)?.bytes ?? new Uint8Array());

/** Everything of a space that a folder can express, without ids. */
function meaning(tree: Tree, texts: ReadonlyMap<string, string>): unknown {
  const nameOf = (id: string): string => {
    const record = tree.records.get(id);
    if (record?.kind === 'file') return `file ${record.hash}`;
    if (record?.kind === 'reusable-content') return `include ${record.title}`;
    // Links and computed pages have no path, so a folder cannot contain them.
    return pathOf(tree, id) ?? '';
  };
  const ref = (to: ContentRef): unknown =>
    Object.fromEntries(
      Object.entries(to).map(([key, value]) => [
        key,
        ['page', 'file', 'reusableContent'].includes(key) ? nameOf(value) : value,
      ]),
    );
  const targets = (links: Inline<LinkTable> | undefined): string[] => {
    if (links === undefined) return [];
    const table = isOutOfLine(links) ? fromBlob<LinkTable>(texts.get(links.hash) ?? '{}') : links;
    return [...new Set(Object.values(table).map((ref) => targetOf(ref) ?? ''))]
      .map(nameOf)
      .filter((name) => name !== '')
      .toSorted();
  };
  // Blank lines before the body of an imported file belong to its title line.
  const words = (hash: string) =>
    (texts.get(hash) ?? '').replace(/^(?:[ \t]*\n)+/, '').replaceAll(/\]\([^)]*\)/g, '](…)');
  const pages = Array.from(walkPages(tree), ({ page, depth, path }) => {
    const { id: _id, parent: _parent, position: _position, createdAt: _c, updatedAt: _u, ...rest } = page;
    if (rest.type === 'link') return { ...rest, depth, target: ref(rest.target) };
    if (rest.type !== 'document') return { ...rest, depth, path };
    const { source: _source, document, links, cover, ...fields } = rest;
    const covers = cover && { ...cover, ...(cover.ref && { ref: ref(cover.ref) }) };
    return { ...fields, depth, path, body: words(document), links: targets(links), cover: covers };
  });
  const includes = tree.reusableContents.map((id) => {
    const record = tree.records.get(id) as Extract<ContentRecord, { kind: 'reusable-content' }>;
    return { title: record.title, body: words(record.document), links: targets(record.links) };
  });
  const files = tree.files.map((id) => nameOf(id)).toSorted();
  return {
    pages,
    includes: includes.toSorted((a, b) => (a.title < b.title ? -1 : 1)),
    files,
    variables: variablesOf(tree),
  };
}

const title = fc.oneof(
  fc.constantFrom(
    'Guide',
    'API',
    'Read me',
    'README',
    'Summary',
    'a [b] (c)',
    '1. <x> & *y*',
    'Ünï 漢字',
    '"quoted" \\ #',
    '# x',
    '- y',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => /[a-z]/i.test(text)),
);
const createdPage = fc.record({
  type: fc.constantFrom('document', 'document', 'document', 'group', 'link', 'computed'),
  title,
  into: fc.option(fc.nat({ max: 12 })),
  links: fc.array(fc.nat({ max: 14 }), { maxLength: 3 }),
  text: fc.constantFrom('Text\n', '# Heading\n', '---\na: b\n---\n', '', 'No end', '    code\n'),
  fields: fc.record(
    {
      description: fc.constantFrom('words', 'a: b', '"', '- x'),
      icon: fc.constant('gear'),
      hidden: fc.boolean(),
      noIndex: fc.boolean(),
      condition: fc.constant('visitor.claims.a == "b"'),
      tags: fc.constant(['a', 'b: c']),
      variables: fc.constant({ x: 1, y: 'true', z: false }),
      layout: fc.constant({ outline: false, coverSize: 'full' as const, width: 'wide' as const }),
      cover: fc.constant({ ref: { kind: 'file' as const, file: 'f0' }, yPos: 3 }),
    },
    { requiredKeys: [] },
  ),
  target: fc.oneof(
    fc.constantFrom<ContentRef>(
      { kind: 'url', url: 'https://x.org/a (b)' },
      { kind: 'file', file: 'f0' },
      { kind: 'space', space: 's1' },
    ),
    fc.nat({ max: 5 }).map((page): ContentRef => ({ kind: 'page', page: `p${page}` })),
    fc.nat({ max: 5 }).map((page): ContentRef => ({ kind: 'anchor', anchor: 'a-b', page: `p${page}` })),
  ),
});
type CreatedPage = typeof createdPage extends fc.Arbitrary<infer T> ? T : never;

/** A space as the API makes it: no files of a folder anywhere. */
function makeSpace(all: readonly CreatedPage[]): {
  tree: Tree;
  texts: Map<string, string>;
  files: Map<string, Uint8Array>;
} {
  const texts = new Map<string, string>();
  const stored = (text: string) => {
    texts.set(hashOf(text), text);
    return hashOf(text);
  };
  const png = encoder.encode('PNG');
  const files = new Map([[hashOf(png), png]]);
  let tree = buildTree([]);
  const apply = (change: Change) => {
    const result = applyChanges(tree, [change], 1);
    if (result.ok) tree = result.tree;
  };
  const file = {
    id: 'f0',
    name: 'lo go.png',
    contentType: 'application/octet-stream',
    size: png.length,
    hash: hashOf(png),
  };
  apply({ operation: 'insert_files', files: [file] });
  apply({
    operation: 'insert_reusable_content',
    id: 'r0',
    title: 'Note: this',
    document: stored('[p](/pages/p0)\n'),
  });
  apply({ operation: 'set_variables', variables: { a: 1, b: 'yes' } });
  const bodies = new Map<string, string>();
  all.forEach(({ type, title, into, links, text, fields, target }, index) => {
    const id = `p${index}`;
    const slugs = (to: number) => pathOf(tree, `p${to}`);
    const hrefs = links.map((to, at) =>
      to === 13
        ? '/files/f0'
        : to === 14
          ? '/reusable-content/r0'
          : `/pages/${(at > 0 ? slugs(to) : undefined) ?? `p${to}`}`,
    );
    bodies.set(id, text + hrefs.map((href) => `\n[x](${href})\n`).join(''));
    const common = { operation: 'insert_page', id, title, into: into === null ? null : `p${into}` } as const;
    if (type === 'document') apply({ ...common, type, ...fields, document: stored(bodies.get(id) ?? '') });
    if (type === 'group') apply({ ...common, into: null, type });
    if (type === 'link') apply({ ...common, type, target });
    if (type === 'computed')
      apply({ ...common, type, computed: { type: 'builtin:openapi', props: { models: false } } });
  });
  for (const record of tree.records.values()) {
    const body = record.kind === 'reusable-content' ? '[p](/pages/p0)\n' : (bodies.get(record.id) ?? '');
    const links = linkTable(tree, record.id, hrefsOf(body));
    if (Object.keys(links).length === 0) continue;
    if (record.kind === 'reusable-content')
      apply({ operation: 'update_reusable_content', reusableContent: record.id, links });
    else apply({ operation: 'update_page', page: record.id, links });
  }
  return { tree, texts, files };
}

describe('any space created through the API', () => {
  test('is the same after export and import', () => {
    fc.assert(
      fc.property(fc.array(createdPage, { maxLength: 12 }), (all) => {
        const { tree, texts, files } = makeSpace(all);
        const written = bytesOf(tree, texts, files);
        const content = readFolder(written, { newId: counter('q'), now: 1 });
        const again = buildTree(content.records);
        // The first page is named after its file.
        expect(meaning(again, content.texts)).toEqual(meaning(withReadmePage(tree), texts));
        expect(toPlain(bytesOf(again, content.texts, content.files))).toEqual(toPlain(written));
      }),
      { numRuns: 150, seed: 12 },
    );
  });

  test('keeps its ids when its folder is imported again', () => {
    fc.assert(
      fc.property(fc.array(createdPage, { maxLength: 12 }), (all) => {
        const { tree, texts, files } = makeSpace(all);
        const written = bytesOf(tree, texts, files);
        const content = readFolder(written, { newId: counter('new'), now: 2, previous: tree });
        const ids = content.records.map(({ id }) => id).filter((id) => !id.startsWith('~'));
        expect(ids.toSorted()).toEqual(
          [...tree.records.keys()].filter((id) => !id.startsWith('~')).toSorted(),
        );
      }),
      { numRuns: 80, seed: 13 },
    );
  });
});

const edit = fc.record({
  page: fc.nat({ max: 12 }),
  into: fc.option(fc.nat({ max: 12 })),
  title: fc.option(title),
  slug: fc.option(fc.constantFrom('a', 'readme', 'b-c', 'new', '')),
  text: fc.option(fc.constantFrom('Other [x](/pages/g)\n', '# Heading\n', '---\na: b\n---\n', '')),
  fields: fc.record(
    {
      description: fc.constantFrom('words', 'a: b', null),
      hidden: fc.boolean(),
      tags: fc.constantFrom(['b'], null),
      variables: fc.constantFrom({ x: 1 }, null),
      layout: fc.constantFrom({ outline: false, width: 'default' as const }, null),
      cover: fc.constant(null),
    },
    { requiredKeys: [] },
  ),
  what: fc.constantFrom('update', 'update', 'move', 'insert', 'delete'),
});

describe('any edited folder', () => {
  test('is exported with its edits', () => {
    fc.assert(
      fc.property(folder, fc.array(edit, { maxLength: 5 }), (files, edits) => {
        const content = readFolder(files, { newId: counter('id'), now: 1 });
        const texts = new Map(content.texts);
        let tree = buildTree(content.records);
        for (const [index, { page, into, title, slug, text, fields, what }] of edits.entries()) {
          const ids = Array.from(walkPages(tree), ({ page }) => page.id);
          const id = ids[page] ?? '';
          const place = into === null ? {} : { into: ids[into] ?? null };
          if (text !== null) texts.set(hashOf(text), text);
          const body = text === null ? {} : { document: hashOf(text) };
          const named = { ...(title === null ? {} : { title }), ...(slug === null ? {} : { slug }) };
          const change: Record<typeof what, Change> = {
            update: { operation: 'update_page', page: id, ...named, ...body, ...fields },
            move: { operation: 'update_page', page: id, ...named, ...place },
            insert: {
              operation: 'insert_page',
              id: `n${index}`,
              document: hashOf(''),
              ...named,
              ...body,
              ...place,
            },
            delete: { operation: 'delete_page', page: id },
          };
          texts.set(hashOf(''), '');
          const result = applyChanges(tree, [change[what]], 1);
          if (result.ok) tree = result.tree;
        }
        const written = bytesOf(tree, texts, content.files);
        const again = readFolder(written, { newId: counter('q'), now: 1 });
        const next = buildTree(again.records);
        expect(structure(next, again.texts)).toEqual(structure(tree, texts));
        expect(toPlain(bytesOf(next, again.texts, again.files))).toEqual(toPlain(written));
      }),
      { numRuns: 200, seed: 14 },
    );
  });
});

/** The pages and their content. Links to deleted pages may break, and unreferenced files are not files of the space. */
const structure = (tree: Tree, texts: ReadonlyMap<string, string>) =>
  (meaning(tree, texts) as { pages: object[] }).pages.map((page) => ({
    ...page,
    links: undefined,
    target: undefined,
  }));
