import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { analyse, type BlockRange } from '../markdown/index.ts';
import { align, findAlike, findMoved, isAlike } from './body/align.ts';
import { readBody, type Unit } from './body/unit.ts';

/** Where a block stands now. */
export interface CarriedBlock {
  readonly key: string;
  readonly isEdited: boolean;
}

/**
 * Where blocks stand after a document changed: old key → new key, or undefined where the block is gone. A block that
 * changed in place, or went elsewhere as it was, is the same block with another key. A node inside a block, a cell of a
 * table for instance, stays itself while it is the same, and is its block from then on.
 */
export function carryKeys(
  before: string,
  after: string,
  keys: Iterable<string>,
): Map<string, string | undefined> {
  const carried = carryBlocks(before, after);
  const ownersBefore = lazy(() => ownersIn(before));
  const ownersAfter = lazy(() => ownersIn(after));
  const find = (key: string): string | undefined => {
    const block = carried.get(key)?.key;
    if (block !== undefined) return block;
    const owner = ownersBefore().get(key);
    const stands = owner === undefined || owner === key ? undefined : carried.get(owner)?.key;
    return stands !== undefined && ownersAfter().get(key) === stands ? key : stands;
  };
  return new Map(Array.from(keys, (key) => [key, find(key)]));
}

/** The block, among those that have a range of the body, that each node of a document is or is inside of. */
function ownersIn(body: string): Map<string, string> {
  const { blocks, document } = analyse(body);
  const ranges = new Set<string>();
  const collect = (list: readonly BlockRange[]) => {
    for (const { key, children } of list) {
      ranges.add(key);
      collect(children);
    }
  };
  collect(blocks);
  const owners = new Map<string, string>();
  const follow = (node: Node, owner: string | undefined) => {
    const own = node.key !== undefined && ranges.has(node.key) ? node.key : owner;
    if (node.key !== undefined && own !== undefined) owners.set(node.key, own);
    for (const inner of [...(node.nodes ?? []), ...(node.fragments ?? [])]) follow(inner as Node, own);
  };
  for (const node of document.nodes) follow(node as Node, undefined);
  return owners;
}

interface Node {
  readonly key?: string;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly unknown[];
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** All blocks that are still there, by the key they had. */
export function carryBlocks(
  before: string,
  after: string,
  budget = new ComparisonBudget(BODY_BUDGET),
): Map<string, CarriedBlock> {
  const carried = new Map<string, CarriedBlock>();
  const [gone, come]: [Unit[], Unit[]] = [[], []];
  const follow = (old: readonly Unit[], now: readonly Unit[]) => {
    const { pairs, moved } = align(old, now, budget);
    const partners = new Map(
      [...pairs].filter(([unit, partner]) => isAlike(unit, partner)).concat([...moved]),
    );
    const found = new Set(partners.values());
    for (const unit of now) if (!found.has(unit)) collect(unit, come);
    for (const unit of old) {
      const partner = partners.get(unit);
      if (partner === undefined) {
        collect(unit, gone);
        continue;
      }
      carried.set(unit.key, { key: partner.key, isEdited: partner.name !== unit.name });
      if (partner.text === unit.text) sameInside(unit, partner);
      else follow(unit.units, partner.units);
    }
  };
  const sameInside = (unit: Unit, partner: Unit) => {
    for (const [index, inner] of unit.units.entries()) {
      const other = partner.units[index];
      if (other === undefined) continue;
      carried.set(inner.key, { key: other.key, isEdited: false });
      sameInside(inner, other);
    }
  };
  follow(readBody(before).units, readBody(after).units);
  // Into or out of another block.
  const moved = findMoved(gone, come);
  for (const [unit, partner] of moved) carried.set(unit.key, { key: partner.key, isEdited: false });
  const left = gone.filter((unit) => !moved.has(unit));
  const taken = new Set(moved.values());
  for (const [unit, partner] of findAlike(
    left,
    come.filter((unit) => !taken.has(unit)),
    budget,
  )) {
    carried.set(unit.key, { key: partner.key, isEdited: true });
  }
  return carried;
}

/** A unit and all inside it. */
function collect(unit: Unit, into: Unit[]): void {
  into.push(unit);
  for (const inner of unit.units) collect(inner, into);
}
