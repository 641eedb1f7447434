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

/** Far behind those that rows have made in the same spaces: an edit that was there already would change nothing. */
const FIRST_EDIT = 10_000_000;
const EDITS = 1000;
const READS = 100;

/** The same in a large and in a small space: what it costs may not depend on how much there is. */
const ofBothSizes = (
  what: string,
  shape: Shape,
  measure: (bench: Bench, space: Space) => Promise<number>,
): Check => ({
  name: `${what} in 10000 pages, of that in 100, ${shape}`,
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

/** Of a page that was just edited: no answer from before can be used. */
async function readAfterEdit({ api }: Bench, space: Space): Promise<number> {
  const times: number[] = [];
  for (let n = 2 * FIRST_EDIT; n < 2 * FIRST_EDIT + READS; n++) {
    await api.send(editPage(space, n));
    const begun = performance.now();
    await api.send(readPage(space.id, space.pages[editAt(space.pages.length, n).page]));
    times.push(performance.now() - begun);
  }
  return median(times);
}

export const sizeChecks: readonly Check[] = SHAPES.flatMap((shape) => [
  ofBothSizes('bytes stored per edit', shape, bytesPerEdit),
  ofBothSizes('first read after an edit', shape, readAfterEdit),
]);
