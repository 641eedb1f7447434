import type { Load, NodeHash } from '../map/index.ts';
import {
  deriveTree,
  freeFilePath,
  isPage,
  pathOf,
  repairs,
  type DocumentPage,
  type Problem,
  type Tree,
} from '../tree/index.ts';
import type { Draft } from './merge-state.ts';
import { keepParents } from './restore-parents.ts';
import { giveNames, giveOtherNames } from './unique-names.ts';
import { putBack } from './restore-positions.ts';

/** Each round mends all that is wrong, and few mends make something else wrong. */
const MOST_ROUNDS = 40;

/** Makes a tree of what was merged entry by entry: parents that are needed, places that can be, names that are free. */
export async function settle(load: Load, proposed: NodeHash, draft: Draft): Promise<Tree> {
  giveNames(draft);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await keepParents(load, proposed, draft);
    const tree = deriveTree(draft.primary, draft.changed);
    const wrong = newProblems(draft, tree);
    if (wrong.size === 0) return nameFiles(draft, tree);
    if (!putBack(draft, wrong)) giveOtherNames(draft, tree, wrong);
  }
  const tree = deriveTree(draft.primary, draft.changed);
  const mended = repairs(tree);
  for (const id of newProblems(draft, tree).keys()) draft.set(id, mended.get(id) ?? null);
  return deriveTree(draft.primary, draft.changed);
}

/** What was wrong before is not for a merge to mend. */
function newProblems(draft: Draft, tree: Tree): Map<string, readonly Problem[]> {
  const { problems } = draft.primary;
  return new Map(
    [...tree.problems].filter(([id, now]) => {
      const before = draft.changed.has(id) ? undefined : problems.get(id);
      return now.some((problem) => before?.includes(problem) !== true);
    }),
  );
}

/** Where each side gave a document another file, it is the one that its path names. */
function nameFiles(draft: Draft, tree: Tree): Tree {
  let named = tree;
  for (const id of draft.open) {
    const page = draft.get(id);
    if (!isPage(page) || page.type !== 'document' || page.source === undefined) continue;
    const path = freeFilePath(named, id, pathOf(named, id) ?? id);
    const record: DocumentPage = { ...page, source: { ...page.source, path } };
    draft.set(id, record);
    named = deriveTree(named, [[id, record]]);
  }
  return named;
}
