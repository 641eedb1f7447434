import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** A key grows by a character with every six pages inserted into one gap. Beyond this, neighbours get new keys. */
const MAX_KEY = 64;

/**
 * Keys for all of a sequence, between two others: those that are known stay. Undefined: the known ones are not in order,
 * because siblings have the same key after a merge.
 */
export function fillPositions(
  known: readonly (string | undefined)[],
  low: string | null = null,
  high: string | null = null,
): string[] | undefined {
  const all: string[] = [];
  try {
    for (let at = 0; at < known.length;) {
      let end = at;
      while (end < known.length && known[end] === undefined) end++;
      const next = known[end] ?? high;
      for (const key of generateNKeysBetween(all.at(-1) ?? low, next, end - at)) all.push(key);
      const own = known[end];
      if (own !== undefined) all.push(own);
      at = end + 1;
    }
  } catch {
    return undefined;
  }
  const isOrdered = [low ?? '', ...all, ...(high === null ? [] : [high])].every(
    (key, index, keys) => index === 0 || key > (keys[index - 1] ?? ''),
  );
  return isOrdered ? all : undefined;
}

export interface AllocatedPosition {
  readonly position: string;
  /** New keys of neighbours, by index. Nearly always empty. */
  readonly rekeyed: ReadonlyMap<number, string>;
}

/** Keys for pages that are added in order, as in an import. */
export const positionsFor = (count: number): string[] => generateNKeysBetween(null, null, count);

/**
 * A fractional key for a page at index `at` of `count` siblings. Where there is no room (two siblings with one key
 * after a merge, or a key that would be long), as few neighbours as possible get new keys.
 */
export function allocatePosition(
  count: number,
  positionAt: (index: number) => string,
  at: number,
): AllocatedPosition {
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
    const rekeyed = new Map<number, string>();
    for (let i = from; i < to; i++) rekeyed.set(i, keys[i - from + Number(i >= index)] ?? '');
    return { position: keys[index - from] ?? '', rekeyed };
  }
}

/** Undefined: no key fits between them, because they are equal or invalid. */
function keysBetween(before: string | null, after: string | null, count: number): string[] | undefined {
  if (before !== null && after !== null && before >= after) return undefined;
  try {
    if (count === 1) return [generateKeyBetween(before, after)];
    return generateNKeysBetween(before, after, count);
  } catch {
    return undefined;
  }
}
