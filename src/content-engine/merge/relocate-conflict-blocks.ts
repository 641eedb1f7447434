import { parseBlocks, type BlockRange } from '../markdown/index.ts';
import { blocksByKey, textOfBlocks } from './body/select-blocks.ts';
import { followBlocks, type FollowedBlock } from './follow-blocks.ts';
import type { BlockConflict, Conflict, ConflictBlocks } from './conflict.ts';
import { presentVersions } from './versions.ts';

export interface RebasedConflict {
  /** The conflict after the edit: its blocks may have other keys. Absent: none of its blocks is left. */
  readonly conflict?: Conflict;
  /** Whether the edit changed the conflicting block, field or position, or deleted the entry. */
  readonly isEdited: boolean;
}

export interface RewrittenBody {
  readonly before: string;
  readonly after: string;
  readonly conflicts: readonly BlockConflict[];
}

/** Finds the blocks of conflicts in the edited body, in the same order. Undefined: the conflict is unchanged. */
export function relocateConflictBlocks({
  before,
  after,
  conflicts,
}: RewrittenBody): (RebasedConflict | undefined)[] {
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
  conflict: BlockConflict,
  { followed, body, blocks }: Rewritten,
): RebasedConflict | undefined {
  const keys = [...conflict.block.primary, ...conflict.block.proposed];
  const found = keys.map((key) => followed.get(key));
  const isEdited = found.some((block) => block === undefined || block.isEdited);
  if (found.every((block) => block === undefined)) return { isEdited };
  if (!isEdited && found.every((block, index) => block?.key === keys[index])) return undefined;
  const relocate = (keys: readonly string[]) => keys.flatMap((key) => followed.get(key)?.key ?? []);
  const block = { primary: relocate(conflict.block.primary), proposed: relocate(conflict.block.proposed) };
  /** The version is the edited text. Undefined: none of its blocks is left. */
  const textOn = (side: keyof ConflictBlocks): string | undefined => {
    const isUnchanged = conflict.block[side].every((key) => followed.get(key)?.isEdited === false);
    if (isUnchanged) return conflict[side];
    return block[side].length === 0 ? undefined : textOfBlocks(body, blocks, block[side]);
  };
  const versions = { ancestor: conflict.ancestor, primary: textOn('primary'), proposed: textOn('proposed') };
  const { kind, entry, moved } = conflict;
  const relocated = { kind, entry, ...presentVersions(versions), block, ...(moved && { moved }) };
  return { conflict: relocated, isEdited };
}
