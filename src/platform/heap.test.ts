import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** V8's own collection of an idle heap is disabled, so that the process would wait forever. */
const FLAGS = ['--no-memory-reducer', '--import', 'tsx', '--input-type=module', '--eval'];

/** The second count is enough after some idle seconds only. */
test.each([3_000_000, 600_000])(
  '%i dead objects of an idle process are collected',
  { timeout: 120_000 },
  async (count) => {
    const script = `
    import { getHeapStatistics } from 'node:v8';
    import { collectWhenIdle } from ${JSON.stringify(new URL('heap.ts', import.meta.url).href)};
    collectWhenIdle();
    const total = () => getHeapStatistics().total_heap_size;
    const before = total();
    let garbage = Array.from({ length: ${count} }, (_each, index) => ({ index }));
    const most = total() - before;
    garbage = undefined;
    setInterval(() => {
      if (total() - before < most / 2) process.exit(7);
    }, 100);`;
    const run = promisify(execFile)(process.execPath, [...FLAGS, script]);
    await expect(run).rejects.toMatchObject({ code: 7, stderr: '' });
  },
);
