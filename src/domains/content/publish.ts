import { apply, type Hash, type NodeHash } from '../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/ids.ts';
import { indexPages } from '../search/index.ts';
import { moveTo, type GitCommit, type RevisionType } from '../spaces/index.ts';
import { searchChanges, type Sections } from './indexed.ts';
import { keep, loaderOf } from './objects.ts';
import type { ContentRow } from './policy.ts';
import { writeObjects } from './store.ts';
import { columnOf, keepTree, rootOf } from './trees.ts';

/** What was the primary content when the transaction locked it, and the tree of it. */
export interface Base extends Pick<ContentRow, 'store_id' | 'revision_id' | 'root'> {
  readonly tree: Tree;
}

export interface Publication {
  readonly id?: string;
  readonly spaceId: string;
  readonly authorId: string | undefined;
  readonly type: RevisionType;
  readonly git?: GitCommit | undefined;
  readonly base: Base;
  /** What is to be there, and what not any more. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  /** New texts, by their hashes. */
  readonly texts: ReadonlyMap<Hash, Uint8Array>;
  /** Of a merge: the revision that was merged in, and what the answers say of where it came from. */
  readonly mergedRevisions?: readonly string[];
  readonly mergedFrom?: object;
  /** What is known already of documents that were read anyway. */
  readonly sections?: Sections;
}

/** Writes what a new revision holds and its base does not. Answers the root of its map. */
export async function storeChanges(
  db: Database,
  { base, changed, tree, texts }: Pick<Publication, 'base' | 'changed' | 'tree' | 'texts'>,
): Promise<NodeHash> {
  const { root, nodes } = await apply(loaderOf(db, base.store_id), rootOf(base), changed);
  if (root === rootOf(base)) return root;
  const objects = new Map<Hash | NodeHash, Uint8Array>([...texts, ...nodes]);
  await writeObjects(db, base.store_id, objects);
  keep(objects);
  keepTree(root, tree);
  return root;
}

/**
 * Makes the next primary revision of a space: new objects, the revision, and what search knows, in the transaction that
 * holds the lock (`lockPrimary`). Where nothing changed there is none, and the present one is answered.
 */
export async function publish(db: Database, publication: Publication): Promise<string> {
  const { spaceId, authorId, type, git, base, changed, tree } = publication;
  const root = await storeChanges(db, publication);
  if (root === rootOf(base)) return base.revision_id;
  const id = publication.id ?? newId();
  await moveTo(db, {
    id,
    spaceId,
    type,
    parents: [base.revision_id, ...(publication.mergedRevisions ?? [])],
    root: columnOf(root),
    authorId,
    git,
    mergedFrom: publication.mergedFrom,
  });
  const load = loaderOf(db, base.store_id);
  await indexPages(db, spaceId, await searchChanges(load, base.tree, tree, changed, publication.sections));
  return id;
}
