import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeFolder } from '../../../../test/import-export.ts';
import { buildTree, deriveTree, findBySource, type Tree } from '../../tree/index.ts';
import { exportBody } from '../write/export-context.ts';
import { listBodies, newExport, readFolder, replaceBodies, writeBody, type FolderFile } from '../index.ts';

/** Reading and writing changed bodies alone is the same as reading and writing the whole folder. */

const PAGES = ['README.md', 'a.md', 'b/c.md', '.gitbook/includes/note.md'];
const HEADS = ['# Welcome\n\n', '---\ndescription: A\n---\n\n# A\n', '# C\n', '---\ntitle: Note\n---\n'];
const SUMMARY = '# Contents\n\n* [Welcome](README.md)\n* [Aa](a.md)\n  * [C](b/c.md)\n';

const folder = (bodies: readonly string[]): FolderFile[] => {
  const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });
  return [
    file('SUMMARY.md', SUMMARY),
    file('data.txt', 'x'),
    ...PAGES.map((path, index) => file(path, `${HEADS[index]}${bodies[index]}`)),
  ];
};

const words = [
  'text',
  '[a](a.md)',
  '[c](b/c.md#x)',
  '[up](../README.md)',
  '[file](data.txt)',
  '## Heading',
  '\n\n',
  '| a |\n|-|\n|1|',
  '{% include ".gitbook/includes/note.md" %}',
  '[gone](gone.md)',
];
const anyBody = fc
  .array(fc.constantFrom(...words), { maxLength: 6 })
  .map((some) => `Text ${some.join(' ')}\n`);
const anyBodies = fc.tuple(anyBody, anyBody, anyBody, anyBody);

let count = 0;
const newId = () => `id${count++}`;

describe('bodies alone', () => {
  test('are read as in the whole folder', () => {
    let taken = 0;
    fc.assert(
      fc.property(anyBodies, anyBody, fc.nat(3), (before, body, place) => {
        const after = before.with(place, body);
        const first = readFolder(folder(before), { newId, now: 1 });
        const tree = buildTree(first.records);
        const whole = readFolder(folder(after), { newId, now: 2, previous: tree });
        const files = folder(after).flatMap((file) => {
          const record = findBySource(tree, file.path);
          const index = PAGES.indexOf(file.path);
          if (!record || index < 0 || before[index] === after[index] || !('bytes' in file)) return [];
          return [{ path: file.path, text: Buffer.from(file.bytes).toString(), record }];
        });
        const replaced = replaceBodies(tree, files, 2);
        if (!replaced) return;
        taken++;
        const result = deriveTree(tree, replaced.changed);
        expect(byId(result)).toEqual(byId(buildTree(whole.records)));
        const texts = new Map([...first.texts, ...replaced.texts]);
        const textOf = (hash: string) => texts.get(hash) ?? '';
        const pages = files.filter(({ record }) => record.kind === 'page').map(({ record }) => record.id);
        const written = writeFolder(result, textOf);
        const context = newExport(result, textOf);
        for (const file of listBodies(context, pages) ?? []) {
          const body = exportBody(context, file.record);
          expect(written).toContainEqual(writeBody(context, file, body));
        }
      }),
      { seed: 7, numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(30);
  });

  test('are not all that changed: the folder is read whole', () => {
    const { records } = readFolder(folder(['', '', '', '']), { newId, now: 1 });
    const tree = buildTree(records);
    const record = findBySource(tree, 'a.md');
    if (!record) throw new Error('no page');
    const read = (text: string) => replaceBodies(tree, [{ path: 'a.md', text, record }], 2);
    expect(read('---\ndescription: A\n---\n\n# A\nNew.\n')).toBeDefined();
    expect(read('---\ndescription: B\n---\n\n# A\nNew.\n')).toBeUndefined();
    expect(read('---\ndescription: A\n---\n\n# B\nNew.\n')).toBeUndefined();
    expect(read('---\ndescription: A\n---\n\n# A\n[file](data.txt)\n')).toBeUndefined();
    const tooManyBlocks = 'a\n=\n'.repeat(100_001);
    expect(read(`---\ndescription: A\n---\n\n# A\n${tooManyBlocks}`)).toBeUndefined();
  });
});

const byId = (tree: Tree) =>
  Object.fromEntries([...tree.records.values()].map((record) => [record.id, record]));
