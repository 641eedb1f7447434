import type { AnchorBlock } from './anchor-blocks.ts';
import type { TargetCell } from './policy.ts';

/** Whether a block is a table that has this cell. */
export const hasCell = ({ table }: AnchorBlock, { record, definition }: TargetCell): boolean =>
  table !== undefined && table.records.includes(record) && table.definitions.includes(definition);

/**
 * Finds a cell after its table changed. Rows and columns are named by their content, so that an edited one has a new
 * name. Where the count is unchanged, it is the one at the same index if all unchanged ones kept their index, else the
 * only new one. Undefined: it was removed, or is ambiguous.
 */
export function carryCell(
  cell: TargetCell,
  { table: before = NO_TABLE }: AnchorBlock,
  { table: after = NO_TABLE }: AnchorBlock,
): TargetCell | undefined {
  const record = carryName(cell.record, before.records, after.records);
  const definition = carryName(cell.definition, before.definitions, after.definitions);
  return record === undefined || definition === undefined ? undefined : { record, definition };
}

function carryName(name: string, before: readonly string[], after: readonly string[]): string | undefined {
  const [were, are] = [new Set(before), new Set(after)];
  if (are.has(name)) return name;
  if (before.length !== after.length) return undefined;
  const isInPlace = before.every((each, index) => !are.has(each) || after[index] === each);
  if (isInPlace) return after[before.indexOf(name)];
  const [only, ...others] = after.filter((each) => !were.has(each));
  return others.length === 0 ? only : undefined;
}

const NO_TABLE = { records: [], definitions: [] };
