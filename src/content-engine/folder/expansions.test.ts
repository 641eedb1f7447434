import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFolder } from '../../../test/import-export.ts';
import { expandEntry } from '../computed/index.ts';
import { hashOf } from '../map/index.ts';
import type { ApiOutline } from '../openapi/index.ts';
import {
  applyChanges,
  buildTree,
  expandedPages,
  findPage,
  isAsGenerated,
  walkPages,
  type Change,
  type ComputedPage,
  type Tree,
} from '../tree/index.ts';
import { readFolder } from './index.ts';

/** Spaces with entries of computed pages, whose generated pages people have changed. */

const operation = (tag: string | undefined, index: number) => ({
  kind: 'operation' as const,
  method: 'get',
  path: `/${tag ?? 'none'}/${index}`,
  operationId: `read${tag ?? ''}${index}`,
  title: `Read ${tag ?? 'it'} ${index}`,
  tags: tag === undefined ? [] : [tag],
});
const outlineArb = fc
  .array(fc.option(fc.constantFrom('pets', 'Store', 'users', 'a b'), { nil: undefined }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((tags): ApiOutline => ({ tags: [], operations: tags.map(operation), schemas: ['Pet'] }));
const entryArb = fc.record({ byOperation: fc.boolean(), models: fc.boolean(), below: fc.boolean() });
const editArb = fc.record({
  page: fc.nat({ max: 20 }),
  into: fc.option(fc.nat({ max: 20 })),
  what: fc.constantFrom('title', 'text', 'slug', 'icon', 'move', 'insert', 'delete'),
});
type Entry = typeof entryArb extends fc.Arbitrary<infer T> ? T : never;
type Edit = typeof editArb extends fc.Arbitrary<infer T> ? T : never;

function requireNoProblems({ problems }: Tree): void {
  if (problems.size > 0) throw new Error(JSON.stringify([...problems]));
}

class Space {
  tree: Tree = buildTree([]);
  readonly texts = new Map<string, string>();
  #count = 0;

  store(text: string): string {
    this.texts.set(hashOf(text), text);
    return hashOf(text);
  }

  apply(change: Change): void {
    const result = applyChanges(this.tree, [change], 1);
    if (result.ok) this.tree = result.tree;
  }

  async expand(outline: ApiOutline): Promise<void> {
    const entries = [...walkPages(this.tree)].flatMap(({ page }) =>
      page.type === 'computed' ? [page.id] : [],
    );
    for (const id of entries) {
      const expanded = await expandEntry(this.tree, findPage(this.tree, id) as ComputedPage, outline, {
        now: 1,
        load: (hash) => Promise.resolve(this.texts.get(hash) ?? ''),
      });
      this.tree = expanded.tree;
      for (const [hash, text] of expanded.texts) this.texts.set(hash, text);
    }
    requireNoProblems(this.tree);
  }

  edit({ page: index, into, what }: Edit): void {
    const pages = [...walkPages(this.tree)].map(({ page }) => page);
    const page = pages[index % pages.length];
    if (page === undefined) return;
    const body = page.type === 'document' ? (this.texts.get(page.document) ?? '') : '';
    const place = into === null ? null : (pages[into % pages.length]?.id ?? null);
    const document = this.store(`Mine.\n\n${body}`);
    const update = { operation: 'update_page', page: page.id } as const;
    const id = `n${this.#count++}`;
    const changes: Record<typeof what, Change> = {
      title: { ...update, title: `Mine ${index}` },
      text: { ...update, document },
      slug: { ...update, slug: `mine-${index}` },
      icon: { ...update, icon: 'paw' },
      move: { operation: 'move_page', page: page.id, into: place },
      insert: {
        operation: 'insert_page',
        id,
        title: `New ${id}`,
        document: this.store('New.\n'),
        into: place,
      },
      delete: { operation: 'delete_page', page: page.id },
    };
    this.apply(changes[what]);
  }

  write(): Record<string, string> {
    const files = writeFolder(this.tree, (hash) => this.texts.get(hash) ?? `no text ${hash}`);
    return Object.fromEntries(files.map((file) => [file.path, 'text' in file ? file.text : '']));
  }

  read(files: Readonly<Record<string, string>>, previous?: Tree): void {
    const bytes = Object.entries(files).map(([path, text]) => ({
      path,
      bytes: new TextEncoder().encode(text),
    }));
    const newId = () => `i${this.#count++}`;
    const content = readFolder(bytes, { newId, now: 2, ...(previous && { previous }) });
    for (const [hash, text] of content.texts) this.texts.set(hash, text);
    this.tree = buildTree(content.records);
    requireNoProblems(this.tree);
  }

  /** Lines of paths and titles. */
  shown(): string[] {
    return [...walkPages(this.tree)].map(({ page, path }) => `${path ?? page.type}: ${page.title}`);
  }

  /** The ids of pages that users have edited, and their texts. */
  written(): Map<string, string> {
    const written = new Map<string, string>();
    for (const { page } of walkPages(this.tree))
      if (page.type === 'document' && !isAsGenerated(page))
        written.set(page.id, `${page.title} ${(this.texts.get(page.document) ?? '').trim()}`);
    return written;
  }
}

async function aSpace(
  entries: readonly Entry[],
  outline: ApiOutline,
  edits: readonly Edit[],
): Promise<Space> {
  const space = new Space();
  const document = space.store('Text.\n');
  space.apply({ operation: 'insert_page', id: 'first', title: 'First', document });
  for (const [index, { byOperation, models, below }] of entries.entries())
    space.apply({
      operation: 'insert_page',
      id: `e${index}`,
      type: 'computed',
      title: `spec${index}`,
      into: below ? 'first' : null,
      computed: {
        type: 'builtin:openapi',
        props: { models, grouping: byOperation ? 'by-operation' : 'by-tag' },
        dependencies: { spec: { ref: { kind: 'openapi', spec: `spec${index}` } } },
      },
    });
  space.apply({ operation: 'insert_page', id: 'last', title: 'Last', document });
  await space.expand(outline);
  for (const edit of edits) space.edit(edit);
  await space.expand(outline);
  return space;
}

const spaceArb = fc.tuple(
  fc.array(entryArb, { minLength: 1, maxLength: 2 }),
  outlineArb,
  fc.array(editArb, { maxLength: 5 }),
);

test('an import of what was exported changes no page, also not what people wrote on generated ones', async () => {
  await fc.assert(
    fc.asyncProperty(spaceArb, async ([entries, outline, edits]) => {
      const space = await aSpace(entries, outline, edits);
      const [folder, shown, written] = [space.write(), space.shown(), space.written()];
      space.read(folder, space.tree);
      await space.expand(outline);
      expect(space.shown().toSorted()).toEqual(shown.toSorted());
      // A generated page that has others below it has a file, too.
      expect(space.written()).toEqual(new Map([...space.written(), ...written]));
      expect(space.write()).toEqual(folder);
    }),
    { numRuns: 60, seed: 21 },
  );
});

test('a folder that is imported into another space is exported byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(spaceArb, async ([entries, outline, edits]) => {
      const space = await aSpace(entries, outline, edits);
      const folder = space.write();
      const other = new Space();
      other.read(folder);
      expect(other.write()).toEqual(folder);
      await other.expand(outline);
      expect(other.write()).toEqual(folder);
    }),
    { numRuns: 60, seed: 22 },
  );
});

test('without its entry, a folder has no generated page but those that people have changed', async () => {
  await fc.assert(
    fc.asyncProperty(spaceArb, async ([entries, outline, edits]) => {
      const space = await aSpace(entries, outline, edits);
      const written = space.written();
      const ids = new Set([...expandedPages(space.tree).values()].flat().map(({ id }) => id));
      space.read({ 'README.md': '# Other\n' }, space.tree);
      const left = [...walkPages(space.tree)].map(({ page }) => page);
      for (const id of ids) if (written.has(id)) expect(left.map((page) => page.id)).toContain(id);
      for (const page of left) expect(page).not.toHaveProperty('generated');
    }),
    { numRuns: 60, seed: 23 },
  );
});
