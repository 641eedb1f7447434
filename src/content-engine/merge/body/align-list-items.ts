import type { ComparisonBudget } from '../../diff/index.ts';
import { mapVersions, type Versions } from '../versions.ts';
import { alignSides, type SideAlignment, type SideAlignments } from './align-sides.ts';
import { isList } from './merged-block.ts';
import type { SourceBlock } from './source-block.ts';

type Blocks = readonly SourceBlock[];

interface Aligned {
  readonly blocks: Versions<Blocks>;
  readonly sides: SideAlignments;
}

/**
 * Aligns both sides with the ancestor. Where a side regrouped list items, lists are split into their items first: two
 * lists become one when the block between them is deleted, and the items of the second list would otherwise count as
 * deleted and inserted. Neighbouring items are read as one list again.
 */
export function alignListItems(blocks: Versions<Blocks>, budget: ComparisonBudget): Aligned {
  const sides = alignSides(blocks, budget);
  const { ancestor, primary, proposed } = blocks;
  if (!isRegrouped(ancestor, primary, sides.primary) && !isRegrouped(ancestor, proposed, sides.proposed))
    return { blocks, sides };
  const items = mapVersions(blocks, splitIntoItems);
  return { blocks: items, sides: alignSides(items, budget) };
}

/** Whether an item is now in another list than the one its list is paired with. */
function isRegrouped(before: Blocks, after: Blocks, { pairs, moved }: SideAlignment): boolean {
  const owners = new Map<string, SourceBlock[]>();
  for (const list of after.filter(({ kind }) => isList(kind))) {
    for (const { matchKey } of list.blocks) {
      const lists = owners.get(matchKey);
      if (lists === undefined) owners.set(matchKey, [list]);
      else if (lists.at(-1) !== list) lists.push(list);
    }
  }
  return before
    .filter(({ kind }) => isList(kind))
    .some((list) => {
      const partner = pairs.get(list) ?? moved.get(list);
      return list.blocks.some(({ matchKey }) => owners.get(matchKey)?.some((owner) => owner !== partner));
    });
}

function splitIntoItems(blocks: Blocks): Blocks {
  return blocks
    .flatMap((block) => {
      if (!isList(block.kind)) return [block];
      return block.blocks.map((item) =>
        item === block.blocks.at(-1) ? { ...item, trail: block.trail } : item,
      );
    })
    .map((block, index) => ({ ...block, index }));
}
