import { parseBlocks, type BlockRange } from '../markdown/index.ts';
import { blocksByKey, textOfBlocks } from './body/select-blocks.ts';
import { carryBlocks, type CarriedBlock } from './follow-blocks.ts';
import type { BlockConflict, Conflict, Standing } from './conflict.ts';
import { versions } from './versions.ts';

export interface Carried {
  /** The conflict as it stands after: its blocks may have other keys. Absent: nothing of it is left. */
  readonly conflict?: Conflict;
  /** Whether that very block, field or position is another than before, or the entry is gone. */
  readonly isEdited: boolean;
}

export interface RewrittenBody {
  readonly before: string;
  readonly after: string;
  readonly conflicts: readonly BlockConflict[];
}

/** Where the conflicts of a body stand after it became another one, in their order. Undefined for one as it was. */
export function carryBlockConflicts({ before, after, conflicts }: RewrittenBody): (Carried | undefined)[] {
  const rewritten = {
    carried: carryBlocks(before, after),
    body: after,
    blocks: blocksByKey(parseBlocks(after)),
  };
  return conflicts.map((conflict) => carryBlock(conflict, rewritten));
}

interface Rewritten {
  readonly carried: ReadonlyMap<string, CarriedBlock>;
  readonly body: string;
  readonly blocks: ReadonlyMap<string, BlockRange>;
}

function carryBlock(conflict: BlockConflict, { carried, body, blocks }: Rewritten): Carried | undefined {
  const keys = [...conflict.block.primary, ...conflict.block.proposed];
  const found = keys.map((key) => carried.get(key));
  const isEdited = found.some((block) => block === undefined || block.isEdited);
  if (found.every((block) => block === undefined)) return { isEdited };
  if (!isEdited && found.every((block, index) => block?.key === keys[index])) return undefined;
  const carry = (keys: readonly string[]) => keys.flatMap((key) => carried.get(key)?.key ?? []);
  const block = { primary: carry(conflict.block.primary), proposed: carry(conflict.block.proposed) };
  /** Its version is what it became; where nothing is left of it, none. */
  const textOn = (side: keyof Standing): string | undefined => {
    const isAsItWas = conflict.block[side].every((key) => carried.get(key)?.isEdited === false);
    if (isAsItWas) return conflict[side];
    return block[side].length === 0 ? undefined : textOfBlocks(body, blocks, block[side]);
  };
  const three = { ancestor: conflict.ancestor, primary: textOn('primary'), proposed: textOn('proposed') };
  const { kind, entry, moved } = conflict;
  const carriedConflict = { kind, entry, ...versions(three), block, ...(moved && { moved }) };
  return { conflict: carriedConflict, isEdited };
}
