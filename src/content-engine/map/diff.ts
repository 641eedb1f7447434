import { canonicalText } from './canonical.ts';
import type { NodeHash } from './hash.ts';
import { loadNodes, nodeIn, type Load } from './load.ts';
import { isInner, type Entry } from './node.ts';

/** An entry that differs between two maps: created without `before`, deleted without `after`. */
export interface Difference<E extends Entry> {
  readonly id: string;
  readonly before: E | undefined;
  readonly after: E | undefined;
}

interface Side<E extends Entry> {
  readonly records: Map<string, E>;
  pending: readonly NodeHash[];
}

/**
 * The differences, sorted by id. Descends both tries level by level, one round trip each, and skips nodes that both
 * have: an equal hash is an equal set of records, at any position.
 */
export async function diff<E extends Entry>(
  load: Load,
  before: NodeHash,
  after: NodeHash,
): Promise<Difference<E>[]> {
  const a: Side<E> = { records: new Map(), pending: [before] };
  const b: Side<E> = { records: new Map(), pending: [after] };
  while (a.pending.length + b.pending.length > 0) {
    const [ofA, ofB] = [new Set(a.pending), new Set(b.pending)];
    a.pending = a.pending.filter((hash) => !ofB.has(hash));
    b.pending = b.pending.filter((hash) => !ofA.has(hash));
    const nodes = await loadNodes<E>(load, [...a.pending, ...b.pending]);
    for (const side of [a, b]) {
      side.pending = side.pending.flatMap((hash) => {
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

/** Whether two values have the same canonical JSON. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b);
