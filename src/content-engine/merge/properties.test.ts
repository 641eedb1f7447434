import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply, build, hashOf, type Load } from '../map/index.ts';
import {
  applyChanges,
  buildTree,
  VARIABLES_ID,
  type Change,
  type ContentRecord,
  type PageRecord,
  type Tree,
} from '../tree/index.ts';
import { mergeContent, resolveConflict, type Conflict, type Merged } from './index.ts';
import { fieldsOf, isRekeyed } from './merge-record.ts';
import { isEqual } from './versions.ts';

/** Generated triples, together with those of bodies alone (CONTRIBUTING.md). */
const TRIPLES = Number(process.env['MERGE_TRIPLES'] ?? 5000);
const runs = { numRuns: TRIPLES * 0.4 };
const LONG = 3_600_000;

const objects = new Map<string, Uint8Array>();
const load: Load = async (hashes) => hashes.map((hash) => objects.get(hash));
const storeText = (text: string): string => {
  objects.set(hashOf(text), Buffer.from(text));
  return hashOf(text);
};
const textOf = (hash: string): string => Buffer.from(objects.get(hash) ?? '').toString();
const roots = new WeakMap<Tree, string>();
function rootOf(tree: Tree): string {
  const known = roots.get(tree);
  if (known !== undefined) return known;
  const { root, nodes } = build(tree.records.values());
  for (const [hash, bytes] of nodes) objects.set(hash, bytes);
  roots.set(tree, root);
  return root;
}

const page = (id: string, over: object = {}): PageRecord =>
  ({
    id,
    kind: 'page',
    type: 'document',
    title: id,
    slug: id,
    position: `a${id.slice(1)}`,
    document: storeText(
      ['x', 'y', 'z'].map((name) => `${id}${name}1 ${id}${name}2 ${id}${name}3\n`).join('\n'),
    ),
    updatedAt: 1,
    ...over,
  }) as PageRecord;

const ANCESTOR = buildTree([
  page('p1', { layout: { width: 'wide' }, tags: ['t'] }),
  page('p2', { parent: 'p1', variables: { v: 'a' } }),
  page('p3', { parent: 'p2', source: { path: 'p1/p2/p3.md', frontmatter: '---\na: 1\n---\n' } }),
  page('p4', { parent: 'p1' }),
  page('p5'),
  page('p6', { parent: 'p5' }),
  { id: 'p7', kind: 'page', type: 'group', title: 'p7', slug: 'p7', position: 'a7' },
  page('p8', { parent: 'p7' }),
  { id: 'f1', kind: 'file', name: 'f1', contentType: 'text/plain', size: 1, hash: 'f1' },
  { id: 'r1', kind: 'reusable-content', title: 'r1', document: storeText('r1a r1b\n\nr1c r1d\n') },
  { id: VARIABLES_ID, kind: 'variables', values: { a: 1, b: 2 } },
]);
rootOf(ANCESTOR);
const initialObjects = new Map(objects);

/** Hundreds of thousands of contents would not fit into memory. */
function resetObjects(): void {
  objects.clear();
  for (const [hash, bytes] of initialObjects) objects.set(hash, bytes);
}

const IDS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'];

interface Step {
  readonly does: keyof typeof STEPS;
  readonly page: string;
  readonly into: string | null;
  readonly at: number;
}

/** A change with values that occur nowhere else. */
const STEPS = {
  title: ({ page }: Step, name: string) => update(page, { title: name }),
  slug: ({ page, at }: Step) => update(page, { slug: `s${at}` }),
  description: ({ page }: Step, name: string) => update(page, { description: name }),
  emoji: ({ page }: Step) => update(page, { emoji: null, hidden: true }),
  layout: ({ page, at }: Step, name: string) =>
    update(page, { layout: { [at % 2 ? 'coverMask' : 'width']: name } }),
  variables: ({ page, at }: Step, name: string) => update(page, { variables: { [`v${at % 2}`]: name } }),
  tags: ({ page }: Step, name: string) => update(page, { tags: ['t', name] }),
  source: ({ page, at }: Step, name: string) =>
    update(page, { source: { path: `file${at}.md`, frontmatter: `---\n${name}: 1\n---\n` } }),
  move: ({ page, into, at }: Step) => ({ operation: 'move_page', page, into, at }) as const,
  delete: ({ page }: Step) => ({ operation: 'delete_page', page }) as const,
  insert: ({ into, at }: Step, name: string) =>
    ({
      operation: 'insert_page',
      id: name,
      title: `New ${at}`,
      document: storeText(`${name}\n`),
      into,
      at,
    }) as const,
  space: ({ at }: Step, name: string) =>
    ({
      operation: 'set_variables',
      variables: { [['a', 'b', 'c'][at] ?? 'd']: at === 0 ? null : name },
    }) as const,
  file: (_step: Step, name: string) =>
    ({
      operation: 'insert_files',
      files: [{ id: name, name, contentType: 'text/plain', size: 1, hash: name, path: 'f.txt' }],
    }) as const,
  'delete file': () => ({ operation: 'delete_file', file: 'f1' }) as const,
  reusable: (_step: Step, name: string) =>
    ({ operation: 'update_reusable_content', reusableContent: 'r1', title: name }) as const,
  'delete reusable': () => ({ operation: 'delete_reusable_content', reusableContent: 'r1' }) as const,
} satisfies Record<string, (step: Step, name: string) => Change>;

function update(page: string, fields: object): Change {
  return { operation: 'update_page', page, ...fields };
}

const step: fc.Arbitrary<Step | 'document'> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('document' as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
      page: fc.constantFrom(...IDS),
      into: fc.constantFrom(null, ...IDS),
      at: fc.nat({ max: 3 }),
    }),
  },
);
const document = fc.record({
  page: fc.constantFrom(...IDS),
  line: fc.nat({ max: 2 }),
  does: fc.nat({ max: 3 }),
});
const steps = fc.array(fc.tuple(step, document), { minLength: 1, maxLength: 6 });
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** The valid steps, applied in order. */
function edited(tree: Tree, steps: Steps, side: string, time: number): Tree {
  let next = tree;
  for (const [index, [step, body]] of steps.entries()) {
    const name = `${side}${index}`;
    const change = step === 'document' ? write(next, body, name) : STEPS[step.does](step, name);
    const applied = change && applyChanges(next, [change], time + index);
    if (applied?.ok && applied.tree.problems.size === 0) next = applied.tree;
  }
  return next;
}

function write(tree: Tree, { page, line, does }: Steps[number][1], name: string): Change | undefined {
  const record = tree.records.get(page);
  if (record?.kind !== 'page' || record.type !== 'document') return undefined;
  const blocks = textOf(record.document).trim().split('\n\n');
  const at = line % blocks.length;
  const block = (blocks[at] ?? '').split(' ');
  if (does === 0) blocks.splice(at, 1);
  else if (does === 1) blocks.splice(at, 0, `${name}w`);
  else
    blocks[at] = (does === 2 ? block.with(line % block.length, `${name}w`) : [...block, `${name}w`]).join(
      ' ',
    );
  return update(page, { document: storeText(`${blocks.join('\n\n')}\n`) });
}

const fewSteps = fc.array(fc.tuple(step, document), { maxLength: 1 });

async function merge(
  ancestor: Tree,
  primary: Tree,
  proposed: Tree,
): Promise<Merged & { readonly root: string }> {
  const [a, p, q] = [ancestor, primary, proposed].map((tree) => rootOf(tree)) as [string, string, string];
  const merged = await mergeContent(load, { ancestor: a, primary: p, proposed: q }, primary);
  for (const text of merged.texts.values()) storeText(text);
  const { root } = await apply(load, p, merged.changed);
  return { ...merged, root };
}

test(
  'the merge of any three contents keeps all values, or reports conflicts',
  { timeout: LONG },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, fewSteps, async (primarySteps, proposedSteps, sharedSteps) => {
        resetObjects();
        const both = edited(ANCESTOR, sharedSteps, 's', 10);
        const [primary, proposed] = [
          edited(both, primarySteps, 'm', 100),
          edited(both, proposedSteps, 'n', 200),
        ];
        const merged = await merge(ANCESTOR, primary, proposed);
        const again = await merge(ANCESTOR, primary, proposed);
        const other = await merge(ANCESTOR, proposed, primary);
        const contentOfP = contentOf(primary);
        expect({
          root: merged.root,
          again: again.root,
          conflicts: again.conflicts,
          idle: [
            contentOf((await merge(ANCESTOR, ANCESTOR, primary)).tree),
            contentOf((await merge(ANCESTOR, primary, ANCESTOR)).tree),
            contentOf((await merge(ANCESTOR, primary, primary)).tree),
            contentOf((await merge(primary, primary, merged.tree)).tree),
          ],
          problems: [...merged.tree.problems],
          lost: [...lostIn(primary, merged), ...lostIn(proposed, merged)],
          back: [...backIn(primary, proposed, merged), ...backIn(proposed, primary, merged)],
          other: merged.conflicts.length === 0 ? withoutNames(other.tree) : '',
        }).toEqual({
          root: build(merged.tree.records.values()).root,
          again: merged.root,
          conflicts: merged.conflicts,
          idle: [contentOfP, contentOfP, contentOfP, contentOf(merged.tree)],
          problems: [],
          lost: [],
          back: [],
          other: merged.conflicts.length === 0 ? withoutNames(merged.tree) : '',
        });
        for (const conflict of merged.conflicts) await expectResolvable(merged.tree, conflict);
      }),
      runs,
    );
  },
);

async function expectResolvable(tree: Tree, conflict: Conflict): Promise<void> {
  for (const use of ['primary', 'proposed', 'both'] as const) {
    const resolved = await resolveConflict(load, tree, conflict, use, 1000);
    expect([...(resolved?.tree.problems ?? [])]).toEqual([]);
    if (use === 'both') expect(resolved?.changed.size).toBe(0);
  }
}

/** Which of two pages with one slug, or one file, gets another depends on which was there first. */
const withoutNames = (tree: Tree): string =>
  build(
    [...tree.records.values()].map((record) => ({ ...record, slug: '', source: '', path: '', updatedAt: 0 })),
  ).root;

/** Everything but timestamps: an entry that was changed and changed back is equal. */
const contentOf = (tree: Tree): string =>
  build([...tree.records.values()].map((record) => ({ ...record, updatedAt: 0 }))).root;

/** Values that a side set, and are neither in the result nor in a conflict. */
function lostIn(side: Tree, { tree, conflicts }: Merged): string[] {
  const lost: string[] = [];
  for (const record of side.records.values()) {
    const old = ANCESTOR.records.get(record.id);
    if (isEqual(old, record) || isRekeyed(old, record)) continue;
    const own = conflicts.filter(({ entry }) => entry === record.id);
    const found = tree.records.get(record.id);
    const [before, now, after] = [leavesOf(old), leavesOf(record), leavesOf(found)];
    const reported = JSON.stringify(own);
    for (const [name, value] of now) {
      if (before.get(name) === value || after.get(name) === value) continue;
      if (name === 'position' && isBroughtIn(before.get(name), value, after.get(name))) continue;
      if (!reported.includes(value)) lost.push(`${record.id} ${name} ${value}`);
    }
  }
  return lost;
}

/**
 * Whether it is below the page that it was moved into, at any position: both sides moved it there.
 */
function isBroughtIn(before = '{}', now: string, after = '{}'): boolean {
  const [old, side, found] = [before, now, after].map(
    (place) => (JSON.parse(place) as { parent?: string }).parent,
  );
  return old !== side && side === found;
}

/** Each value of a record by name, and each word of its document. Derived values are omitted. */
function leavesOf(record: ContentRecord | undefined): Map<string, string> {
  const leaves = new Map<string, string>();
  for (const [name, value] of Object.entries(fieldsOf(record))) {
    if (['updatedAt', 'createdAt', 'slug', 'path'].includes(name)) continue;
    if (name === 'body') {
      const words = textOf((value as { document: string }).document).match(/[mns]\dw/g) ?? [];
      for (const word of words) leaves.set(`word ${word}`, word);
    } else if (name === 'tags') {
      for (const tag of value as string[]) leaves.set(`tag ${tag}`, JSON.stringify(tag));
    } else if (['layout', 'variables', 'values'].includes(name)) {
      for (const [member, each] of Object.entries(value as object))
        leaves.set(`${name} ${member}`, JSON.stringify(each));
    } else if (name === 'source') {
      leaves.set(name, JSON.stringify((value as { frontmatter?: string }).frontmatter ?? ''));
    } else leaves.set(name, JSON.stringify(value));
  }
  return leaves;
}

/** Entries that one side deleted and the other did not touch, and are present without a conflict. */
const backIn = (one: Tree, other: Tree, { tree, conflicts }: Merged): string[] =>
  [...ANCESTOR.records.values()]
    .filter(({ id }) => !one.records.has(id) && id !== VARIABLES_ID)
    .filter((record) => isEqual(record, other.records.get(record.id)))
    .filter(
      ({ id }) =>
        tree.records.has(id) && !conflicts.some(({ kind, entry }) => kind === 'delete' && entry === id),
    )
    .map(({ id }) => id);
