import type { Difference } from '../../map/index.ts';
import { depthOf, sourceOf, type ContentRecord, type Tree } from '../../tree/index.ts';
import type { Conflict, DeleteConflict } from './conflict.ts';

/**
 * Conflicts about deletions come last, and subpages before their parents: resolved in this order, a page that is deleted has no
 * subpages left. A page that is only not listed any more by the proposed side is a file there.
 */
export function describeDeletions(
  conflicts: readonly Conflict[],
  tree: Tree,
  proposed: readonly Difference<ContentRecord>[],
): Conflict[] {
  const deletions = conflicts.flatMap((one) => (one.kind === 'delete' ? [one] : []));
  if (deletions.length === 0) return [...conflicts];
  const unlisted = new Map<string, string>();
  for (const { id, after } of proposed)
    if (after?.kind === 'file' && after.unlisted && after.path !== undefined) unlisted.set(after.path, id);
  const described = deletions.map((one) => ({
    one: withFile(one, unlisted),
    depth: depthOf(tree, one.entry),
  }));
  described.sort((a, b) => b.depth - a.depth);
  return [...conflicts.filter(({ kind }) => kind !== 'delete'), ...described.map(({ one }) => one)];
}

function withFile(conflict: DeleteConflict, unlisted: ReadonlyMap<string, string>): DeleteConflict {
  const path = conflict.primary && sourceOf(conflict.primary);
  const file = path !== undefined && conflict.proposed === undefined ? unlisted.get(path) : undefined;
  return file === undefined ? conflict : { ...conflict, file };
}
