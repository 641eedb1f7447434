import { parseBlocks, type BlockRange } from '../../markdown/index.ts';
import { blocksByKey, textOfBlocks } from '../body/select-blocks.ts';
import { followBlocks, type FollowedBlock } from '../follow-blocks.ts';
import type { ConflictBlocks } from './conflict.ts';

/** The blocks of a conflict after an edit. */
export interface RelocatedBlocks {
  /** Whether the edit changed one of them. */
  readonly isEdited: boolean;
  /** Absent: none of them is left. */
  readonly block?: ConflictBlocks;
  /** The text of each side that the edit changed. Undefined: none of its blocks is left. */
  readonly edited: { readonly [S in keyof ConflictBlocks]?: string | undefined };
}

/** Finds the blocks of conflicts in the edited body, in the same order. Undefined: the conflict is unchanged. */
export function relocateConflictBlocks(
  before: string,
  after: string,
  conflicts: readonly ConflictBlocks[],
): (RelocatedBlocks | undefined)[] {
  const rewritten = {
    followed: followBlocks(before, after),
    body: after,
    blocks: blocksByKey(parseBlocks(after)),
  };
  return conflicts.map((conflict) => relocateBlocks(conflict, rewritten));
}

interface Rewritten {
  readonly followed: ReadonlyMap<string, FollowedBlock>;
  readonly body: string;
  readonly blocks: ReadonlyMap<string, BlockRange>;
}

function relocateBlocks(
  conflict: ConflictBlocks,
  { followed, body, blocks }: Rewritten,
): RelocatedBlocks | undefined {
  const keys = [...conflict.primary, ...conflict.proposed];
  const found = keys.map((key) => followed.get(key));
  const isEdited = found.some((block) => block === undefined || block.isEdited);
  if (found.every((block) => block === undefined)) return { isEdited, edited: {} };
  if (!isEdited && found.every((block, index) => block?.key === keys[index])) return undefined;
  const relocate = (keys: readonly string[]) => keys.flatMap((key) => followed.get(key)?.key ?? []);
  const block = { primary: relocate(conflict.primary), proposed: relocate(conflict.proposed) };
  const textOn = (side: keyof ConflictBlocks) => {
    const isUnchanged = conflict[side].every((key) => followed.get(key)?.isEdited === false);
    if (isUnchanged) return {};
    return { [side]: block[side].length === 0 ? undefined : textOfBlocks(body, blocks, block[side]) };
  };
  return { isEdited, block, edited: { ...textOn('primary'), ...textOn('proposed') } };
}
