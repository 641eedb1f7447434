/** Which entries of two lists belong together: pairs of indexes, increasing on both sides. */
export type Pairs = [number, number][];

/** Above this many comparisons only entries that occur once on each side are paired. */
const MAX_CELLS = 1_000_000;

export function pairUp(one: readonly string[], other: readonly string[]): Pairs {
  const pairs: Pairs = [];
  pairRange(one, other, 0, one.length, 0, other.length, pairs);
  return pairs;
}

function pairRange(
  one: readonly string[],
  other: readonly string[],
  oneStart: number,
  oneEnd: number,
  otherStart: number,
  otherEnd: number,
  pairs: Pairs,
): void {
  let [a, b, endA, endB] = [oneStart, otherStart, oneEnd, otherEnd];
  while (a < endA && b < endB && one[a] === other[b]) pairs.push([a++, b++]);
  const tail: Pairs = [];
  while (a < endA && b < endB && one[endA - 1] === other[endB - 1]) tail.push([--endA, --endB]);
  if (a < endA && b < endB) {
    if ((endA - a) * (endB - b) <= MAX_CELLS) longest(one, other, a, endA, b, endB, pairs);
    else byUnique(one, other, a, endA, b, endB, pairs);
  }
  // Not spread: a list may be longer than a call may have arguments.
  for (const pair of tail.toReversed()) pairs.push(pair);
}

/** The longest common subsequence, by the usual table. */
function longest(
  one: readonly string[],
  other: readonly string[],
  oneStart: number,
  oneEnd: number,
  otherStart: number,
  otherEnd: number,
  pairs: Pairs,
): void {
  const rows = oneEnd - oneStart;
  const columns = otherEnd - otherStart;
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] as number;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] =
        one[oneStart + row] === other[otherStart + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (one[oneStart + row] === other[otherStart + column])
      pairs.push([oneStart + row++, otherStart + column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
}

/** Entries that occur once on each side, as many as stand in the same order; the gaps between them where small. */
function byUnique(
  one: readonly string[],
  other: readonly string[],
  oneStart: number,
  oneEnd: number,
  otherStart: number,
  otherEnd: number,
  pairs: Pairs,
): void {
  const where = uniqueIn(other, otherStart, otherEnd);
  const mine = uniqueIn(one, oneStart, oneEnd);
  const anchors: Pairs = [];
  for (const [text, index] of mine) {
    const partner = where.get(text);
    if (partner !== undefined) anchors.push([index, partner]);
  }
  let [a, b] = [oneStart, otherStart];
  for (const [nextA, nextB] of [...increasing(anchors), [oneEnd, otherEnd] as [number, number]]) {
    if ((nextA - a) * (nextB - b) <= MAX_CELLS) longest(one, other, a, nextA, b, nextB, pairs);
    if (nextA < oneEnd) pairs.push([nextA, nextB]);
    [a, b] = [nextA + 1, nextB + 1];
  }
}

function uniqueIn(list: readonly string[], start: number, end: number): Map<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (let index = start; index < end; index++) {
    const text = list[index] as string;
    if (found.has(text)) twice.add(text);
    found.set(text, index);
  }
  for (const text of twice) found.delete(text);
  return found;
}

/** The longest run of pairs that increases on the second side too. */
function increasing(pairs: Pairs): Pairs {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, value], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  });
  const found: Pairs = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) {
    found.push(pairs[index] as [number, number]);
  }
  return found.toReversed();
}
