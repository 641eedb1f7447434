import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** A key grows by a character with every six pages that are put into one gap. Longer, and the neighbours are spread. */
const MAX_KEY = 64;

export interface Placed {
  readonly position: string;
  /** Neighbours that had to get new keys, by their index. Nearly always none. */
  readonly spread: ReadonlyMap<number, string>;
}

/** Keys for pages that are written in order, as in an import. */
export const positionsFor = (count: number): string[] => generateNKeysBetween(null, null, count);

/**
 * A key for a page that comes to stand at index `at` of `count` siblings. Where there is no room (two siblings with one
 * key after a merge, or a key that would be long), it is made by moving as few neighbours as possible.
 */
export function placeAt(count: number, positionAt: (index: number) => string, at: number): Placed {
  const index = Math.min(at, count);
  for (let reach = 0; ; reach = Math.max(8, reach * 2)) {
    const [from, to] = [Math.max(0, index - reach), Math.min(count, index + reach)];
    const isAll = from === 0 && to === count;
    const keys = keysBetween(
      from === 0 ? null : positionAt(from - 1),
      to === count ? null : positionAt(to),
      to - from + 1,
    );
    const longest = reach === 0 ? MAX_KEY : MAX_KEY / 2;
    if (keys === undefined || (keys.some((key) => key.length > longest) && !(isAll && reach > 0))) continue;
    const spread = new Map<number, string>();
    for (let i = from; i < to; i++) spread.set(i, keys[i - from + Number(i >= index)] ?? '');
    return { position: keys[index - from] ?? '', spread };
  }
}

/** Undefined where no key fits between: equal keys, or keys that are none. */
function keysBetween(before: string | null, after: string | null, count: number): string[] | undefined {
  if (before !== null && after !== null && before >= after) return undefined;
  try {
    if (count === 1) return [generateKeyBetween(before, after)];
    return generateNKeysBetween(before, after, count);
  } catch {
    return undefined;
  }
}
