import { generateNKeysBetween } from 'fractional-indexing';

/** Each move into the same gap makes a key longer. Keys are part of index entries and cursors, which are limited. */
export const MAX_POSITION = 100;

/** Keys up to this length are not replaced. */
const SHORT_POSITION = 20;

interface Placed {
  readonly id: string;
  readonly position: string;
}

/** New positions for the siblings around a place whose key is too long: those up to the nearest short key on either side. */
export function shortenPositions<Item extends Placed>(sorted: readonly Item[], place: string): Item[] {
  const isLong = (index: number) => (sorted[index]?.position.length ?? 0) > SHORT_POSITION;
  const next = sorted.findIndex(({ position }) => position >= place);
  let end = next < 0 ? sorted.length : next;
  let start = end;
  while (isLong(start - 1)) start--;
  while (isLong(end)) end++;
  const lower = sorted[start - 1]?.position ?? null;
  const positions = generateNKeysBetween(lower, sorted[end]?.position ?? null, end - start);
  return sorted.slice(start, end).map((item, index) => ({ ...item, position: positions[index] ?? '' }));
}
