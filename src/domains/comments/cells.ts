import type { BlockNode } from '../../content-engine/markdown/index.ts';
import type { TargetCell } from './policy.ts';

type Named = Readonly<Record<string, unknown>>;

/** Whether a block is a table that has this cell. */
export const hasCell = (table: BlockNode, { record, definition }: TargetCell): boolean =>
  table.type === 'table' &&
  Object.hasOwn(rowsOf(table), record) &&
  Object.hasOwn(columnsOf(table), definition);

/**
 * A cell after its table changed. A row has another name once something in it is another: then it is one that was not
 * there before, and of as many rows the one at its place if whatever stayed is at its place, or the only new one.
 * Undefined: it is not there any more, or nobody can say which it is.
 */
export function carryCell(cell: TargetCell, before: BlockNode, after: BlockNode): TargetCell | undefined {
  const record = carryName(cell.record, rowsOf(before), rowsOf(after));
  const definition = carryName(cell.definition, columnsOf(before), columnsOf(after));
  return record === undefined || definition === undefined ? undefined : { record, definition };
}

function carryName(name: string, before: Named, after: Named): string | undefined {
  if (Object.hasOwn(after, name)) return name;
  const [old, now] = [Object.keys(before), Object.keys(after)];
  if (old.length !== now.length) return undefined;
  const isInPlace = old.every((each, index) => !Object.hasOwn(after, each) || now[index] === each);
  if (isInPlace) return now[old.indexOf(name)];
  const [only, ...others] = now.filter((each) => !Object.hasOwn(before, each));
  return others.length === 0 ? only : undefined;
}

const rowsOf = ({ data }: BlockNode): Named => (data?.['records'] ?? {}) as Named;
const columnsOf = ({ data }: BlockNode): Named => (data?.['definition'] ?? {}) as Named;
