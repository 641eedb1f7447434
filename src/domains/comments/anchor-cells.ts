import type { AnchorBlock } from './anchor-blocks.ts';
import type { TargetCell } from './policy.ts';

/** Whether a block is a table that has this cell. */
export const hasCell = ({ table }: AnchorBlock, { record, definition }: TargetCell): boolean =>
  table !== undefined && table.records.includes(record) && table.definitions.includes(definition);

/**
 * A cell after its table changed. A row has another name once something in it is another: then it is one that was not
 * there before, and of as many rows the one at its place if whatever stayed is at its place, or the only new one.
 * Undefined: it is not there any more, or nobody can say which it is.
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
