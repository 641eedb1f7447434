import type { NodeHash } from '../../../content-engine/map/index.ts';
import { newId } from '../../../platform/api/ids.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { columnOf } from '../../content-store/index.ts';
import {
  insertProposedRevision,
  lockToPublish,
  type GitCommit,
  type Publishing,
} from '../../revisions/index.ts';
import { GitFailure } from '../operations/git-failure.ts';
import type { Versions } from './versions.ts';
import type { Work } from '../operations/work.ts';

/** What an operation did. */
export interface Done {
  /** The primary revision; of a standalone import, the new one. */
  readonly revisionId: string;
  readonly isChanged: boolean;
  /** Undefined: no commit was read. */
  readonly commit?: string;
  /** The directory of the repository that the content of the space is in. Undefined: no file was read. */
  readonly contentDirectory?: string;
  /** Where the commit conflicts with the space: the change request that contains it. */
  readonly request?: { readonly id: string; readonly number: number };
}

/** Called in the transaction of the new revision. */
export type Finish = (db: Database, done: Done) => Promise<void>;

/** Runs in the transaction that publishes. Undefined: the space was edited meanwhile. */
export async function publish(
  work: Work,
  { primary }: Pick<Versions, 'primary'>,
  write: (db: Database, publishing: Publishing) => Promise<Done>,
  finish: Finish,
): Promise<Done | undefined> {
  const { ctx, operation } = work;
  return ctx.db.transaction().execute(async (db) => {
    const publishing = await lockToPublish({ ...ctx, db }, operation.space_id);
    if (publishing.base.revision_id !== primary.revision_id) return undefined;
    if (publishing.base.store_id !== primary.store_id)
      throw new GitFailure('The space was transferred to another organization. Start the operation again.');
    const imported = await write(db, publishing);
    await finish(db, imported);
    work.signal.throwIfAborted();
    return imported;
  });
}

/** The content of a commit as a revision of its own, outside of the history of the space. */
export async function addRevision(
  { operation }: Work,
  db: Database,
  parent: string,
  root: NodeHash,
  git: GitCommit,
): Promise<string> {
  const id = newId();
  const authorId = operation.user_id ?? undefined;
  const revision = { id, type: 'edits' as const, parents: [parent], root: columnOf(root), authorId, git };
  await insertProposedRevision(db, operation.space_id, revision);
  return id;
}
