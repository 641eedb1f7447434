import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { packFiles, unpackFiles, type ManagedFiles } from '../revisions/index.ts';
import type { GitRequest } from './policy.ts';

type Remote = Pick<GitRequest, 'url' | 'ref' | 'directory'>;

/** What a space and a branch had in common last. */
export interface CommonState {
  readonly commit: string;
  /** A revision with the content of the commit, and its root. */
  readonly revisionId: string;
  readonly root: Buffer | null;
  readonly files: ManagedFiles;
  /** The directory that the files are in, from the root of the repository. */
  readonly contentDirectory: string;
}

export interface Pending {
  readonly changeRequestId: string;
  readonly commit: string;
  readonly revisionId: string;
  readonly files: ManagedFiles;
  readonly contentDirectory: string;
}

export interface SyncState extends CommonState {
  readonly pending?: Pending | undefined;
}

/** Undefined: the space was never synchronized with this directory of this branch. */
export async function findState(
  db: Database,
  spaceId: string,
  { url, ref, directory }: Remote,
): Promise<SyncState | undefined> {
  const row = await db
    .selectFrom('git_states as state')
    .innerJoin('revisions as rv', 'rv.id', 'state.revision_id')
    .select(['state.commit_id', 'state.revision_id', 'state.files', 'state.content_directory', 'rv.root'])
    .select(['pending_request_id', 'pending_commit_id', 'pending_revision_id'])
    .select(['pending_files', 'pending_content_directory'])
    .where('state.space_id', '=', spaceId)
    .where('url', '=', url)
    .where('ref', '=', ref)
    .where('directory', '=', directory)
    .executeTakeFirst();
  if (!row) return undefined;
  const { pending_request_id: id, pending_commit_id: commit, pending_revision_id: revisionId } = row;
  return {
    commit: row.commit_id,
    revisionId: row.revision_id,
    root: row.root,
    files: unpackFiles(row.files),
    contentDirectory: row.content_directory,
    ...(id !== null && commit !== null && revisionId !== null && row.pending_files !== null
      ? {
          pending: {
            changeRequestId: id,
            commit,
            revisionId,
            files: unpackFiles(row.pending_files),
            contentDirectory: row.pending_content_directory ?? row.content_directory,
          },
        }
      : {}),
  };
}

/** The time of the last operation that was done with any remote. */
export async function findLastOrder(db: Database, spaceId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('git_states')
    .select('ordered_at')
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
  return row?.ordered_at;
}

export async function putState(
  db: Database,
  spaceId: string,
  { url, ref, directory }: Remote,
  { commit, revisionId, files, contentDirectory }: Omit<CommonState, 'root'>,
  orderedAt: Date,
): Promise<void> {
  const values = {
    url,
    ref,
    directory,
    commit_id: commit,
    revision_id: revisionId,
    files: packFiles(files),
    content_directory: contentDirectory,
    pending_request_id: null,
    pending_commit_id: null,
    pending_revision_id: null,
    pending_files: null,
    pending_content_directory: null,
    pushed_commit_id: null,
    pushed_revision_id: null,
    pushed_files: null,
  };
  await db
    .insertInto('git_states')
    .values({ space_id: spaceId, ...values, ordered_at: orderedAt })
    .onConflict((conflict) =>
      conflict.column('space_id').doUpdateSet({
        ...values,
        ordered_at: sql`greatest(git_states.ordered_at, excluded.ordered_at)`,
      }),
    )
    .execute();
}

/** The state stays what it was until the change request is merged. */
export async function setPending(
  db: Database,
  spaceId: string,
  pending: Pending,
  orderedAt: Date,
): Promise<void> {
  await db
    .updateTable('git_states')
    .set({
      pending_request_id: pending.changeRequestId,
      pending_commit_id: pending.commit,
      pending_revision_id: pending.revisionId,
      pending_files: packFiles(pending.files),
      pending_content_directory: pending.contentDirectory,
      ordered_at: sql`greatest(ordered_at, ${orderedAt}::timestamptz)`,
    })
    .where('space_id', '=', spaceId)
    .execute();
}
