/**
 * Damerau-Levenshtein distance (optimal string alignment), Infinity beyond `limit`. Only cells within `limit` of the
 * diagonal are computed, so the cost is the length times `limit`.
 */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: Math.min(b.length, limit) + 1 }, (_each, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    const [from, to] = [Math.max(0, i - limit), Math.min(b.length, i + limit)];
    let least = Infinity;
    for (let j = from; j <= to; j++) {
      const cost = j === 0 ? i : cheapest(a, b, i, j, row, last, beforeLast);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    beforeLast = last;
    last = row;
  }
  const found = last[b.length] ?? Infinity;
  return found <= limit ? found : Infinity;
}

/** Cells that were not computed are too far from the diagonal, and count as Infinity. */
function cheapest(
  a: string,
  b: string,
  i: number,
  j: number,
  row: readonly number[],
  last: readonly number[],
  beforeLast: readonly number[],
): number {
  const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  const replaced = (last[j - 1] ?? Infinity) + (isSame ? 0 : 1);
  const inserted = (row[j - 1] ?? Infinity) + 1;
  const deleted = (last[j] ?? Infinity) + 1;
  const isSwapped =
    i > 1 &&
    j > 1 &&
    a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
    a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  const swapped = isSwapped ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
  return Math.min(replaced, inserted, deleted, swapped);
}
