import { pairUp, type ComparisonBudget, type Pairs } from '../../diff/index.ts';
import { fingerprint, type BlockNode } from '../../document/index.ts';
import type { Token } from '../scan/token.ts';

/** A block of the source, with the bytes up to the next one. */
export interface Unit {
  readonly token: Token;
  readonly end: number;
  readonly nodes: readonly BlockNode[];
}

/**
 * Source units all of whose nodes are in the edited document, in sequence: unit -> index of the first node. `stays`
 * returns false where the bytes are to be rewritten nevertheless.
 */
export function keptUnits(
  units: readonly Unit[],
  nodes: readonly BlockNode[],
  stays: (unit: Unit, node: BlockNode) => boolean,
  budget: ComparisonBudget,
): Map<number, number> {
  const old = units.flatMap((unit, index) => unit.nodes.map((node) => ({ index, text: fingerprint(node) })));
  const pairs = new Map(
    pairUp(
      old.map(({ text }) => text),
      nodes.map(fingerprint),
      budget,
    ),
  );
  const kept = new Map<number, number>();
  let at = 0;
  for (const [index, unit] of units.entries()) {
    const first = pairs.get(at);
    const whole =
      first !== undefined &&
      unit.nodes.every(
        (_node, offset) =>
          pairs.get(at + offset) === first + offset && stays(unit, nodes[first + offset] as BlockNode),
      );
    if (unit.nodes.length > 0 && whole) kept.set(index, first);
    at += unit.nodes.length;
  }
  return kept;
}

/** The former units of nodes by their keys, wherever they were. */
export function formerUnits(
  units: readonly Unit[],
  nodes: readonly BlockNode[],
  kept: ReadonlyMap<number, number>,
): Map<BlockNode, Unit> {
  const byKey = new Map<string, Unit>();
  for (const [index, unit] of units.entries()) {
    const [node, ...more] = unit.nodes;
    if (node?.key !== undefined && more.length === 0 && !kept.has(index)) byKey.set(node.key, unit);
  }
  const former = new Map<BlockNode, Unit>();
  if (byKey.size === 0) return former;
  for (const node of nodes) {
    const unit = byKey.get(node.key ?? '');
    if (unit && unit.nodes[0]?.type === node.type) former.set(node, unit);
  }
  return former;
}

/** Pairs old units with new nodes: by key, else by position where their numbers are equal, else by type. */
export function partnersOf(
  old: readonly Unit[],
  nodes: readonly BlockNode[],
  budget: ComparisonBudget,
): Pairs {
  const pairs: Pairs = [];
  let [o, n] = [0, 0];
  const keys = pairUp(
    old.map(({ nodes: [node] }, index) => node?.key ?? `old ${index}`),
    nodes.map(({ key }, index) => key ?? `new ${index}`),
    budget,
  );
  for (const [nextO, nextN] of [...keys, [old.length, nodes.length] as const]) {
    for (const [one, other] of byPlace(old.slice(o, nextO), nodes.slice(n, nextN), budget)) {
      pairs.push([o + one, n + other]);
    }
    if (nextO < old.length) pairs.push([nextO, nextN]);
    [o, n] = [nextO + 1, nextN + 1];
  }
  return pairs;
}

function byPlace(old: readonly Unit[], nodes: readonly BlockNode[], budget: ComparisonBudget): Pairs {
  if (old.length === nodes.length) return old.map((_unit, index) => [index, index]);
  return pairUp(
    old.map((unit) => unit.nodes[0]?.type ?? ''),
    nodes.map((node) => node.type),
    budget,
  );
}
