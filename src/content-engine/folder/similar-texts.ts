import { addToList } from '../add-to-list.ts';
/** A text as the number of times that each of its lines and sentences occurs. */
export type TextUnits = ReadonlyMap<string, number>;

export interface SimilarPair {
  readonly from: string;
  readonly to: string;
}

/** Git calls a file renamed from this similarity on, too. */
const MIN_SIMILARITY = 0.5;
/** A unit of more texts distinguishes none of them. */
const MAX_OWNERS = 50;

export function unitsOf(text: string): TextUnits {
  const units = new Map<string, number>();
  for (const unit of text.split(/\n|(?<=[.!?]\s)|(?<=[。！？])/)) {
    const trimmed = unit.trim();
    if (trimmed !== '') units.set(trimmed, (units.get(trimmed) ?? 0) + 1);
  }
  return units;
}

/**
 * Pairs texts by path that are one text before and after an edit: the most similar first, and of equally similar ones those
 * with the same file name. The cost is proportional to the units that texts of both sides share.
 */
export function pairSimilar(
  before: ReadonlyMap<string, TextUnits>,
  after: ReadonlyMap<string, TextUnits>,
): SimilarPair[] {
  const owners = new Map<string, string[]>();
  for (const [path, units] of before) {
    for (const unit of units.keys()) {
      addToList(owners, unit, path);
    }
  }
  const sizes = new Map<string, number>();
  for (const [path, units] of before) sizes.set(path, sizeOf(units));
  const pairs: (SimilarPair & { readonly similarity: number })[] = [];
  for (const [to, units] of after) {
    const shared = new Map<string, number>();
    for (const [unit, count] of units) {
      const found = owners.get(unit) ?? [];
      if (found.length > MAX_OWNERS) continue;
      for (const from of found) {
        const common = Math.min(count, before.get(from)?.get(unit) ?? 0) * unit.length;
        shared.set(from, (shared.get(from) ?? 0) + common);
      }
    }
    const size = sizeOf(units);
    for (const [from, common] of shared) {
      const similarity = (2 * common) / (size + (sizes.get(from) ?? 0));
      if (similarity >= MIN_SIMILARITY) pairs.push({ from, to, similarity });
    }
  }
  pairs.sort(
    (a, b) => b.similarity - a.similarity || Number(hasSameName(b)) - Number(hasSameName(a)) || compare(a, b),
  );
  return oneToOne(pairs);
}

function oneToOne(pairs: readonly SimilarPair[]): SimilarPair[] {
  const used = { from: new Set<string>(), to: new Set<string>() };
  return pairs.flatMap(({ from, to }) => {
    if (used.from.has(from) || used.to.has(to)) return [];
    used.from.add(from);
    used.to.add(to);
    return [{ from, to }];
  });
}

const sizeOf = (units: TextUnits): number =>
  [...units].reduce((sum, [unit, count]) => sum + unit.length * count, 0);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const hasSameName = ({ from, to }: SimilarPair): boolean => nameOf(from) === nameOf(to);
const compare = (a: SimilarPair, b: SimilarPair): number =>
  `${a.from}\n${a.to}` < `${b.from}\n${b.to}` ? -1 : 1;
