import { recordsInOrder, type BlockNode, type TableBlock } from '../../document/index.ts';

/** Items or cells. A list or table with more is typeset in portions, between which a new sheet may begin. */
const LONG = 1000;
const PORTION = 250;

/** The items or cells of a block, which take memory however short they are; 1 for other blocks. */
export function itemsIn(block: BlockNode): number {
  if (block.type !== 'table')
    return Math.max(1, block.type.startsWith('list-') ? (block.nodes ?? []).length : 1);
  const { definition, records } = block.data;
  return Object.keys(definition).length * Object.keys(records).length;
}

/** A long list or table as several that follow each other: the compiler keeps each one in memory as a whole. */
export function portionsOf(block: BlockNode): BlockNode[] {
  switch (block.type) {
    case 'list-unordered':
      return inPortions(block.nodes ?? [], 1, (nodes) => ({ ...block, nodes })) ?? [block];
    case 'list-tasks':
      return inPortions(block.nodes ?? [], 1, (nodes) => ({ ...block, nodes })) ?? [block];
    case 'list-ordered': {
      const start = block.data?.start ?? 1;
      return (
        inPortions(block.nodes ?? [], 1, (nodes, at) => ({
          ...block,
          data: { ...block.data, start: start + at },
          nodes,
        })) ?? [block]
      );
    }
    case 'table':
      return portionsOfTable(block);
    default:
      return [block];
  }
}

function portionsOfTable(block: TableBlock): BlockNode[] {
  const { definition, records } = block.data;
  const cells = Math.max(1, Object.keys(definition).length);
  const portions = inPortions(recordsInOrder(records), cells, (some) => ({
    ...block,
    data: { ...block.data, records: Object.fromEntries(some) },
  }));
  return portions ?? [block];
}

/** `size`: of one part. Undefined if the whole is not long. */
function inPortions<T>(
  parts: readonly T[],
  size: number,
  portion: (parts: T[], at: number) => BlockNode,
): BlockNode[] | undefined {
  if (parts.length * size <= LONG) return undefined;
  const count = Math.max(1, Math.floor(PORTION / size));
  return Array.from({ length: Math.ceil(parts.length / count) }, (_, index) =>
    portion(parts.slice(index * count, (index + 1) * count), index * count),
  );
}
