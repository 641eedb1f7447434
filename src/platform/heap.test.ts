import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const HEAP = JSON.stringify(new URL('heap.ts', import.meta.url).href);

const EVAL = ['--import', 'tsx', '--input-type=module', '--eval'];
/** V8's own collection of an idle heap is disabled, so that the process would wait forever. */
const FLAGS = ['--no-memory-reducer', ...EVAL];

/** The second count is enough after some idle seconds only. */
test.each([5_000_000, 600_000])(
  '%i dead objects of an idle process are collected',
  { timeout: 120_000 },
  async (count) => {
    const script = `
    import { getHeapStatistics } from 'node:v8';
    import { collectWhenIdle } from ${HEAP};
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

/** The largest size of the heap between two major collections, as a multiple of the smallest. */
async function growthWith(liveMb: number): Promise<number> {
  const script = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { limitHeapGrowth } from ${HEAP};
    limitHeapGrowth();
    const make = (mb) => Array.from({ length: mb * 8192 }, () => Array.from({ length: 14 }, Math.random));
    const live = make(${liveMb});
    const recent = [];
    let [majors, least, most] = [0, Infinity, 0];
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries())
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) majors++;
    }).observe({ type: 'gc' });
    while (majors < 5) {
      recent.push(make(1));
      if (recent.length > 4) recent.shift();
      await delay(0);
      const used = process.memoryUsage().heapUsed;
      if (majors === 4) [least, most] = [Math.min(least, used), Math.max(most, used)];
    }
    console.log(most / least, live.length);`;
  const { stdout } = await promisify(execFile)(process.execPath, [...EVAL, script]);
  return Number.parseFloat(stdout);
}

test(
  'a small heap grows to about three times its size, a large one to twice',
  { timeout: 120_000 },
  async () => {
    expect(await growthWith(20)).toBeGreaterThan(2.6);
    expect(await growthWith(200)).toBeLessThan(2.4);
  },
);
