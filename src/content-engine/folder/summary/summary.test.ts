import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeFolder } from '../../../../test/import-export.ts';
import {
  applyChanges,
  buildTree,
  descendantsOf,
  findBySource,
  walkPages,
  type Change,
  type Tree,
} from '../../tree/index.ts';
import { MAX_ITEMS, readFolder, type FolderContent } from '../index.ts';
import { parseSummary } from './parse-summary.ts';

const encoder = new TextEncoder();

type Files = Readonly<Record<string, string | Uint8Array>>;

function read(files: Files): FolderContent & { tree: Tree } {
  let count = 0;
  const content = readFolder(
    Object.entries(files).map(([path, text]) => ({
      path,
      bytes: typeof text === 'string' ? encoder.encode(text) : text,
    })),
    { newId: () => `id${count++}`, now: 1 },
  );
  return { ...content, tree: buildTree(content.records) };
}

function changed(tree: Tree, ...changes: Change[]): Tree {
  const result = applyChanges(tree, changes, 2);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.tree;
}

function written(tree: Tree, { texts, files }: FolderContent): Files {
  return Object.fromEntries(
    writeFolder(tree, (hash) => texts.get(hash) ?? '').map((file) => [
      file.path,
      'text' in file ? file.text : (files.get(file.file) ?? ''),
    ]),
  );
}

const outline = (tree: Tree): string[] =>
  Array.from(walkPages(tree), ({ page, depth }) => `${depth} ${page.type} ${page.title}`);

const idAt = (tree: Tree, path: string): string => findBySource(tree, path)?.id ?? '';

/** Files for all pages of a summary. Files named `gone…` do not exist, and `raw…` are not text. */
function folderWith(summary: string): Files {
  const names = Array.from(summary.matchAll(/\(([^()\s]+\.md)/g), (match) => match[1] ?? '');
  const files = names
    .filter((name) => !name.startsWith('gone') && !name.includes(':'))
    .map((name): [string, string | Uint8Array] => [
      name,
      name.startsWith('raw') ? new Uint8Array([255]) : `# ${name.replace(/\W.*/, '')}\n`,
    ]);
  return { ...Object.fromEntries(files), 'SUMMARY.md': summary };
}

function after(summary: string, change: (tree: Tree) => readonly Change[]): string {
  const content = read(folderWith(summary));
  const tree = changed(content.tree, ...change(content.tree));
  const files = written(tree, content);
  expect(outline(read(files).tree)).toEqual(outline(tree));
  return files['SUMMARY.md'] as string;
}

const SUMMARY = `# Contents

<!-- first -->
* [r](README.md)
*  [C renamed](c.md) <!-- of c -->
- [a](a.md)
    - [a1](a1.md)
    - plain text entry
    - [Gone](gone.md)
    - [a2](a2.md "Two")
* [Raw](raw.md)
words

## Group <a href="#g" id="g"></a>

* [g1](g1.md)
  * [g2](g2.md)

***

* [last](last.md)
`;

describe('a change of the tree changes only its own lines of SUMMARY.md:', () => {
  const title = (tree: Tree, path: string, title: string): Change => ({
    operation: 'update_page',
    page: idAt(tree, path),
    title,
  });

  test('a title', () => {
    expect(after(SUMMARY, (tree) => [title(tree, 'a.md', 'A!')])).toBe(SUMMARY.replace('[a]', '[A!]'));
    expect(after(SUMMARY, (tree) => [title(tree, 'a2.md', 'New')])).toBe(SUMMARY);
    expect(after(SUMMARY, (tree) => [title(tree, 'c.md', 'New')])).toBe(SUMMARY);
    const group = (tree: Tree) =>
      [...walkPages(tree)].find(({ page }) => page.type === 'group')?.page.id ?? '';
    expect(after(SUMMARY, (tree) => [{ operation: 'update_page', page: group(tree), title: 'Other' }])).toBe(
      SUMMARY.replace('## Group', '## Other'),
    );
  });

  test('a deleted page with its descendants', () => {
    const remove = (path: string) =>
      after(SUMMARY, (tree) => [{ operation: 'delete_page', page: idAt(tree, path) }]);
    expect(remove('c.md')).toBe(SUMMARY.replace('*  [C renamed](c.md) <!-- of c -->\n', ''));
    expect(remove('a.md')).toBe(
      SUMMARY.replace('- [a](a.md)\n    - [a1](a1.md)\n', '').replace('    - [a2](a2.md "Two")\n', ''),
    );
    expect(remove('last.md')).toBe(SUMMARY.replace('\n* [last](last.md)\n', ''));
  });

  test('a new page', () => {
    const add = (more: (tree: Tree) => object) =>
      after(SUMMARY, (tree) => [
        { operation: 'insert_page', id: 'new', title: 'New', document: 'x', ...more(tree) },
      ]);
    expect(add(() => ({ at: 0 }))).toBe(SUMMARY.replace('* [r]', '* [New](new.md)\n* [r]'));
    expect(add((tree) => ({ into: idAt(tree, 'a.md'), at: 1 }))).toBe(
      SUMMARY.replace('    - plain', '    - [New](a/new.md)\n    - plain'),
    );
    expect(add((tree) => ({ into: idAt(tree, 'last.md') }))).toBe(`${SUMMARY}  * [New](last/new.md)\n`);
    expect(add((tree) => ({ into: idAt(tree, 'g2.md') }))).toBe(
      SUMMARY.replace('(g2.md)\n', '(g2.md)\n    * [New](g2/new.md)\n'),
    );
    expect(add(() => ({ type: 'group', document: undefined, at: 4 }))).toContain(
      '  * [g2](g2.md)\n\n## New\n\n***\n\n* [last](last.md)\n',
    );
  });

  test('a moved page keeps its own line', () => {
    const move = (path: string, to: (tree: Tree) => { into?: string | null; at?: number }) =>
      after(SUMMARY, (tree) => [{ operation: 'move_page', page: idAt(tree, path), ...to(tree) }]);
    const line = '*  [C renamed](c.md) <!-- of c -->\n';
    expect(move('c.md', () => ({ into: null, at: 0 }))).toBe(
      SUMMARY.replace(line, '').replace('* [r](README.md)\n', `${line}* [r](README.md)\n`),
    );
    expect(move('c.md', (tree) => ({ into: idAt(tree, 'g1.md'), at: 0 }))).toBe(
      SUMMARY.replace(line, '').replace('  * [g2]', `  ${line.replace('c.md', 'g1/c.md')}  * [g2]`),
    );
    expect(move('g1.md', () => ({ into: null, at: 1 }))).toContain(
      '* [r](README.md)\n* [g1](g1.md)\n  * [g2](g2.md)\n*  [C renamed]',
    );
    expect(move('last.md', (tree) => ({ into: idAt(tree, 'g1.md') }))).toContain(
      '  * [g2](g2.md)\n  * [last](g1/last.md)\n\n***\n',
    );
  });

  test('an entry without a file is replaced by a page of that name', () => {
    const changed = after('* [r](README.md)\n* [Gone](gone.md)\n* [c](c.md)\n', () => [
      { operation: 'insert_page', id: 'new', title: 'Gone', document: 'x' },
    ]);
    expect(changed).toBe('* [r](README.md)\n* [c](c.md)\n* [Gone](gone.md)\n');
  });

  test('line endings, and a missing one at the end, are kept', () => {
    const windows = '* [r](README.md)\r\n* [c](c.md)\r\n\r\n## G\r\n* [a](a.md)';
    expect(after(windows, (tree) => [title(tree, 'c.md', 'C')])).toBe(windows.replace('[c]', '[C]'));
    expect(after(windows, (tree) => [{ operation: 'delete_page', page: idAt(tree, 'c.md') }])).toBe(
      windows.replace('* [c](c.md)\r\n', ''),
    );
    const tabs = '- [r](README.md)\n\t- [c](c.md)\n\t\t- [a](a.md)\n';
    expect(after(tabs, (tree) => [title(tree, 'a.md', 'A')])).toBe(tabs.replace('[a]', '[A]'));
  });
});

/** Entries: the relative depth, and the kind. */
const entry = fc.record({
  deeper: fc.integer({ min: -3, max: 1 }),
  kind: fc.constantFrom(
    'page',
    'page',
    'page',
    'page',
    'gone',
    'raw',
    'words',
    'link',
    'group',
    'divider',
    'comment',
  ),
  marker: fc.constantFrom('* ', '- ', '+  ', '1. '),
  behind: fc.constantFrom('', '', ' <!-- x -->', '\n', '\n\nwords\n'),
});
const summary = fc
  .tuple(fc.array(entry, { maxLength: 14 }), fc.constantFrom('  ', '    ', '\t'), fc.boolean())
  .map(([entries, unit, isEnded]) => {
    let depth = 0;
    let mayHold = false;
    const lines = entries.map(({ deeper, kind, marker, behind }, index) => {
      if (kind === 'group') [depth, mayHold] = [0, false];
      if (kind === 'group') return `\n## Group ${index}\n`;
      if (kind === 'divider') [depth, mayHold] = [0, false];
      if (kind === 'divider') return '\n***\n';
      if (kind === 'comment') return `<!-- ${index} -->`;
      depth = Math.max(0, Math.min(depth + deeper, mayHold ? depth + 1 : depth));
      mayHold = kind === 'page';
      const target = {
        page: `[p${index}](p${index}.md)`,
        gone: `[g${index}](gone${index}.md)`,
        raw: `[r${index}](raw${index}.md)`,
        words: `words ${index}`,
        link: `[l${index}](https://x.org/${index})`,
      }[kind];
      return `${unit.repeat(depth)}${marker}${target}${behind}`;
    });
    return `# Contents\n\n${lines.join('\n')}${isEnded ? '\n' : ''}`;
  });
const change = fc.record({
  operation: fc.constantFrom('title', 'delete', 'insert', 'move'),
  page: fc.nat({ max: 12 }),
  into: fc.option(fc.nat({ max: 12 })),
  at: fc.nat({ max: 4 }),
});

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const namesOf = (line: string): string => /\b[pl]\d+\b|Group \d+/.exec(line)?.[0] ?? '';

describe('any single change of any tree', () => {
  test('changes only the necessary lines, and the result is read as the tree', () => {
    fc.assert(
      fc.property(summary, change, (text, { operation, page, into, at }) => {
        const content = read(folderWith(text));
        const { tree } = content;
        const pages = Array.from(walkPages(tree), (each) => each.page);
        const target = pages[page];
        const place = { into: into === null ? null : (pages[into]?.id ?? null), at };
        const change: Change | undefined =
          operation === 'insert'
            ? { operation: 'insert_page', id: 'new', title: 'NEW', document: 'x', ...place }
            : target === undefined
              ? undefined
              : operation === 'title'
                ? { operation: 'update_page', page: target.id, title: `${target.title} changed` }
                : operation === 'delete'
                  ? { operation: 'delete_page', page: target.id }
                  : { operation: 'move_page', page: target.id, ...place };
        const applied = change === undefined ? undefined : applyChanges(tree, [change], 2);
        if (!applied?.ok) return;
        const files = written(applied.tree, content);
        expect(outline(read(files).tree)).toEqual(outline(applied.tree));

        const now = files['SUMMARY.md'] as string;
        const touched = new Set(
          target === undefined
            ? []
            : [target.id, ...descendantsOf(tree, target.id)].map((id) => titleOf(tree, id)),
        );
        const isTouched = (line: string) => touched.has(namesOf(line));
        const untouchedLines = (lines: readonly string[]) => lines.filter((line) => !isTouched(line));
        if (operation === 'title') {
          const [before, after] = [text.split('\n'), now.split('\n')];
          expect(after.map((line) => line.replace(' changed', ''))).toEqual(
            before.map((line) => (line.includes('## ') && isTouched(line) ? expect.anything() : line)),
          );
        }
        if (operation === 'delete') expect(linesOf(now)).toEqual(untouchedLines(linesOf(text)));
        if (operation === 'insert') {
          const remaining = linesOf(now).filter((line) => !line.includes('NEW'));
          expect(withoutOne(remaining, linesOf(text))).toEqual(linesOf(text));
        }
        if (operation === 'move') {
          const [before, after] = [untouchedLines(linesOf(text)), untouchedLines(linesOf(now))];
          const more = withoutOne(after.toSorted(), before.toSorted());
          expect(more).toEqual(before.toSorted());
          const unmovedLines = (lines: readonly string[]) =>
            lines.filter((line) => namesOf(line) === '' && line !== '***');
          expect(unmovedLines(after)).toEqual(unmovedLines(before));
        }
      }),
      { numRuns: 1500, seed: 15 },
    );
  });
});

const titleOf = (tree: Tree, id: string): string => {
  const record = tree.records.get(id);
  return record?.kind === 'page' ? record.title : '';
};

/** At most one divider more than before. */
function withoutOne(now: readonly string[], before: readonly string[]): string[] {
  const at = now.findIndex((line, index) => line === '***' && before[index] !== '***');
  return now.length > before.length && at >= 0 ? now.toSpliced(at, 1) : [...now];
}

// They would take minutes if each line were compared with all others, or each blank with all that follow.
test.each([
  ['comments', '<!--\n-->\n', 0],
  ['fences', '* ```yaml\n```\n', 1],
  ['blanks instead of a target', `* [a](${' '.repeat(4000)}\n`, 1],
  ['blanks before a line separator', `* ${' '.repeat(4000)}\u2028\n`, 1],
])('a SUMMARY.md of many %s is parsed', (_what, lines, entries) => {
  const times = Math.round(2_000_000 / lines.length);
  expect(parseSummary(lines.repeat(times))).toHaveLength(times * entries);
});

test('a SUMMARY.md of very many entries is refused before they take much memory', () => {
  const folder = { 'README.md': '# Start\n', 'SUMMARY.md': '* a\n'.repeat(MAX_ITEMS) };
  expect(read(folder).isSummaryTooLong).toBe(false);
  const longer = read({ ...folder, 'SUMMARY.md': `${folder['SUMMARY.md']}* b\n` });
  expect(longer.isSummaryTooLong).toBe(true);
});
