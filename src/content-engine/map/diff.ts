import { canonicalText } from './canonical.ts';
import type { NodeHash } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { isInner, type Entry } from './node.ts';

/** An entry that is not the same in two maps: created without a before, deleted without an after. */
export interface Difference<E extends Entry> {
  readonly id: string;
  readonly before: E | undefined;
  readonly after: E | undefined;
}

interface Side<E extends Entry> {
  readonly records: Map<string, E>;
  ahead: readonly NodeHash[];
}

/**
 * What differs, sorted by id. Descends both tries at once, a level per round trip, and drops what both have: an equal
 * hash is an equal set of records, wherever it stands.
 */
export async function diff<E extends Entry>(
  load: Load,
  before: NodeHash,
  after: NodeHash,
): Promise<Difference<E>[]> {
  const a: Side<E> = { records: new Map(), ahead: [before] };
  const b: Side<E> = { records: new Map(), ahead: [after] };
  while (a.ahead.length + b.ahead.length > 0) {
    const [ofA, ofB] = [new Set(a.ahead), new Set(b.ahead)];
    a.ahead = a.ahead.filter((hash) => !ofB.has(hash));
    b.ahead = b.ahead.filter((hash) => !ofA.has(hash));
    const nodes = await loadNodes<E>(load, [...a.ahead, ...b.ahead]);
    for (const side of [a, b]) {
      side.ahead = side.ahead.flatMap((hash) => {
        const node = nodeIn(nodes, hash);
        if (isInner(node)) return node.children.map(({ hash }) => hash);
        for (const record of node.records) side.records.set(record.id, record);
        return [];
      });
    }
  }
  return compare(a.records, b.records);
}

function compare<E extends Entry>(a: ReadonlyMap<string, E>, b: ReadonlyMap<string, E>): Difference<E>[] {
  const differences: Difference<E>[] = [];
  for (const [id, before] of a) {
    const after = b.get(id);
    if (after === undefined || !isSame(before, after)) differences.push({ id, before, after });
  }
  for (const [id, after] of b) if (!a.has(id)) differences.push({ id, before: undefined, after });
  return differences.toSorted((x, y) => (x.id < y.id ? -1 : 1));
}

/** Whether two records would be stored as the same bytes. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b);
