import type { Lists, Pairs, Range } from './pairs.ts';

/** Longest common subsequence by dynamic programming: one step per cell of the range. */
export function longestCommon(
  { one, other }: Lists,
  { start, end, otherStart, otherEnd }: Range,
  pairs: Pairs,
): void {
  const rows = end - start;
  const columns = otherEnd - otherStart;
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    const entry = one[start + row];
    let behind = 0;
    for (let column = columns - 1, at = row * width + column; column >= 0; column--, at--) {
      const below = lengths[at + width] as number;
      if (entry === other[otherStart + column]) behind = (lengths[at + width + 1] as number) + 1;
      else if (below > behind) behind = below;
      lengths[at] = behind;
    }
  }
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const at = row * width + column;
    if (one[start + row] === other[otherStart + column]) pairs.push([start + row++, otherStart + column++]);
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) row++;
    else column++;
  }
}
