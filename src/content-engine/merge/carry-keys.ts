import { align, findMoved } from './body/align.ts';
import { readBody, type Unit } from './body/unit.ts';

/** Where a block stands now. */
export interface CarriedBlock {
  readonly key: string;
  readonly isEdited: boolean;
}

/**
 * Where blocks stand after a document changed: old key → new key, or undefined where the block is gone. A block that
 * changed in place, or went elsewhere as it was, is the same block with another key.
 */
export function carryKeys(
  before: string,
  after: string,
  keys: Iterable<string>,
): Map<string, string | undefined> {
  const carried = carryBlocks(before, after);
  return new Map(Array.from(keys, (key) => [key, carried.get(key)?.key]));
}

/** All blocks that are still there, by the key they had. */
export function carryBlocks(before: string, after: string): Map<string, CarriedBlock> {
  const carried = new Map<string, CarriedBlock>();
  const [gone, come]: [Unit[], Unit[]] = [[], []];
  const follow = (old: readonly Unit[], now: readonly Unit[]) => {
    const { pairs, moved } = align(old, now);
    const found = new Set([...pairs.values(), ...moved.values()]);
    for (const unit of now) if (!found.has(unit)) collect(unit, come);
    for (const unit of old) {
      const partner = pairs.get(unit) ?? moved.get(unit);
      if (partner === undefined) {
        collect(unit, gone);
        continue;
      }
      carried.set(unit.key, { key: partner.key, isEdited: partner.name !== unit.name });
      follow(unit.units, partner.units);
    }
  };
  follow(readBody(before).units, readBody(after).units);
  // Into or out of another block.
  for (const [unit, partner] of findMoved(gone, come)) {
    carried.set(unit.key, { key: partner.key, isEdited: false });
  }
  return carried;
}

/** A unit and all inside it. */
function collect(unit: Unit, into: Unit[]): void {
  into.push(unit);
  for (const inner of unit.units) collect(inner, into);
}
