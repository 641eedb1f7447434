import { atMost, type Bench, type Check } from '../check.ts';
import type { Shape } from '../corpus.ts';
import { storedBytes } from '../database.ts';
import { median } from '../load.ts';
import {
  editAt,
  editPage,
  makeEdits,
  readPage,
  SHAPES,
  sizedSpace,
  type Size,
  type Space,
} from '../space.ts';

/** Disjoint from the edits of rows in the same spaces: a repeated edit would change nothing. */
const FIRST_EDIT = 10_000_000;
const EDITS = 1000;
const READS = 100;

/** The same in a large and in a small space: the cost must not depend on the size. */
const compareSizes = (
  what: string,
  shape: Shape,
  measure: (bench: Bench, space: Space) => Promise<number>,
): Check => ({
  name: `${what}, 10000 pages relative to 100, ${shape}`,
  aim: atMost(1.5, 'x'),
  async measure(bench) {
    const inSize = async (size: Size) => measure(bench, await sizedSpace(bench.api, size, shape));
    return (await inSize(10_000)) / (await inSize(100));
  },
});

async function bytesPerEdit({ api, server }: Bench, space: Space): Promise<number> {
  const before = await storedBytes(server.data);
  await makeEdits(api, space, FIRST_EDIT, EDITS);
  return ((await storedBytes(server.data)) - before) / EDITS;
}

/** Of a page that was just edited, so that no cached response exists. */
async function readAfterEdit({ api }: Bench, space: Space): Promise<number> {
  const times: number[] = [];
  for (let n = 2 * FIRST_EDIT; n < 2 * FIRST_EDIT + READS; n++) {
    await api.send(editPage(space, n));
    const startedAt = performance.now();
    await api.send(readPage(space.id, space.pages[editAt(space.pages.length, n).page]));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

export const sizeChecks: readonly Check[] = SHAPES.flatMap((shape) => [
  compareSizes('bytes stored per edit', shape, bytesPerEdit),
  compareSizes('first read after an edit', shape, readAfterEdit),
]);
