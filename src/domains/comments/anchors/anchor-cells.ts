import type { AnchorBlock } from './anchor-blocks.ts';
import type { TargetCell } from '../policy.ts';

/** Whether a block is a table that has this cell. */
export const hasCell = ({ table }: AnchorBlock, { record, definition }: TargetCell): boolean =>
  table !== undefined && table.records.includes(record) && table.definitions.includes(definition);

/** Finds a cell in the changed table. Undefined: it was removed, or is ambiguous. */
export type CarryCell = (cell: TargetCell) => TargetCell | undefined;

/**
 * Compares a table with its changed version once, however many of its cells have comments. Without the version before,
 * only unchanged cells are found.
 */
export function cellCarrier(
  before: AnchorBlock | undefined,
  { table: after = NO_TABLE }: AnchorBlock,
): CarryCell {
  const { records, definitions } = before?.table ?? NO_TABLE;
  const carryRecord = nameCarrier(records, after.records);
  const carryDefinition = nameCarrier(definitions, after.definitions);
  return (cell) => {
    const [record, definition] = [carryRecord(cell.record), carryDefinition(cell.definition)];
    return record === undefined || definition === undefined ? undefined : { record, definition };
  };
}

/**
 * Rows and columns are named by their content, so that an edited one has a new name. Where the count is unchanged, it is
 * the one at the same index if all unchanged ones kept their index, else the only new one.
 */
function nameCarrier(
  before: readonly string[],
  after: readonly string[],
): (name: string) => string | undefined {
  const are = new Set(after);
  if (before.length !== after.length) return (name) => (are.has(name) ? name : undefined);
  const were = new Map(before.map((name, index) => [name, index]));
  const isInPlace = before.every((name, index) => !are.has(name) || after[index] === name);
  const [only, ...others] = isInPlace ? [] : after.filter((name) => !were.has(name));
  return (name) => {
    if (are.has(name)) return name;
    if (isInPlace) return after[were.get(name) ?? -1];
    return others.length === 0 ? only : undefined;
  };
}

const NO_TABLE = { records: [], definitions: [] };
