import { expect, test } from 'vitest';
import { IS_EXHAUSTIVE } from './exhaustive.ts';
import { startImporting, zipOf } from './importing.ts';
import { retainedHeap } from './retained-heap.ts';

const MB = 2 ** 20;

test.runIf(IS_EXHAUSTIVE)(
  'the tree of an imported space does not keep the texts of its pages in memory',
  async () => {
    const page = (n: number) =>
      `# The title of page number ${n}\n\nSee [the other page](other-page-${n}.md).\n\n${'text '.repeat(9_000)}\n`;
    const pages = (from: number, count: number) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: count }, (_each, n) => [`a-page-with-number-${from + n}.md`, page(from + n)]),
        ),
      );
    const { contents, importInto } = await startImporting({
      '/few.zip': pages(0, 20),
      '/many.zip': pages(100, 500),
    });
    const importPages = async (path: string) => {
      const imported = await importInto(`${await contents.aSpace()}/content`, 'zip', path);
      expect(imported.status, imported.text).toBe(201);
    };
    // Compiled code and connections are not counted.
    await importPages('/few.zip');
    const retained = await retainedHeap(() => importPages('/many.zip'));
    expect(retained).toBeLessThan(8 * MB);
  },
);
