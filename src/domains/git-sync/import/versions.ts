import { isPage } from '../../../content-engine/tree/index.ts';
import { loaderOf, rootOf, treeAt, type Base, type Content } from '../../content-store/index.ts';
import { findPrimary } from '../../revisions/index.ts';
import { findCommonState } from '../operations/common-state.ts';
import type { CommitContent } from './commit-content.ts';
import type { SyncState } from '../operations/state-store.ts';
import type { Work } from '../operations/work.ts';

export type Ancestor = Base & Pick<SyncState, 'files' | 'pending' | 'contentDirectory'>;

/** The versions that an import compares. */
export interface Versions {
  readonly primary: Base;
  /** The content that the space and the branch had in common; undefined at the first import. */
  readonly ancestor: Ancestor | undefined;
}

export async function findVersions({ ctx, operation }: Work): Promise<Versions> {
  const primary = await findPrimary(ctx.db, operation.space_id);
  const load = loaderOf(ctx, primary.store_id);
  const withTree = async <R extends { readonly root: Buffer | null }>(row: R) => ({
    ...row,
    tree: await treeAt(ctx, load, rootOf(row)),
  });
  const common = await findCommonState(ctx.db, operation);
  return {
    primary: await withTree(primary),
    ancestor:
      common && (await withTree({ ...common, store_id: primary.store_id, revision_id: common.revisionId })),
  };
}

/** The content of a commit as changes of the revision against which it was read. Its texts are stored. */
export const contentOf = ({ changed, tree }: CommitContent): Content => ({ changed, tree, texts: new Map() });

/** Fewer pages are deleted without a question. */
const MANY_PAGES = 10;

/** Whether a commit deletes more than half of many pages: the branch may belong to another repository now. */
export function deletesMost({ tree }: Base, { changed }: CommitContent): boolean {
  const pages = [...tree.records.values()].filter(isPage).length;
  const deleted = [...changed].filter(
    ([id, record]) => record === null && isPage(tree.records.get(id)),
  ).length;
  return deleted > MANY_PAGES && deleted > pages / 2;
}
