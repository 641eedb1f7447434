import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { packFiles, unpackFiles, type ManagedFiles } from '../../revisions/index.ts';
import type { GitRequest } from '../policy.ts';

/** What a common state belongs to, besides its space. */
export type Branch = Pick<GitRequest, 'url' | 'ref' | 'directory'>;

/** The indexed expression: a URL and a directory may be longer than an entry of an index. */
const KEY = sql`md5(url || E'\\n' || ref || E'\\n' || directory)`;

export const isOfBranch = (spaceId: string, { url, ref, directory }: Branch) =>
  sql<boolean>`space_id = ${spaceId} and ${KEY} = md5(${`${url}\n${ref}\n${directory}`})`;

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
  branch: Branch,
): Promise<SyncState | undefined> {
  const row = await db
    .selectFrom((states) =>
      states.selectFrom('git_states').selectAll().where(isOfBranch(spaceId, branch)).as('state'),
    )
    .innerJoin('revisions as rv', 'rv.id', 'state.revision_id')
    .select(['state.commit_id', 'state.revision_id', 'state.files', 'state.content_directory', 'rv.root'])
    .select(['pending_request_id', 'pending_commit_id', 'pending_revision_id'])
    .select(['pending_files', 'pending_content_directory'])
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

/** The branch of a repository that a space was synchronized with last. */
export async function findLastBranch(
  db: Database,
  spaceId: string,
  url: string,
): Promise<{ readonly ref: string; readonly contentDirectory: string } | undefined> {
  const row = await db
    .selectFrom('git_states')
    .select(['ref', 'content_directory'])
    .where('space_id', '=', spaceId)
    .where('url', '=', url)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ref: row.ref, contentDirectory: row.content_directory };
}

/** The time of the last operation that was done with any branch. */
export async function findLastOrder(db: Database, spaceId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('git_states')
    .select(({ fn }) => fn.max('ordered_at').as('last'))
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
  return row?.last ?? undefined;
}

/** Branches of one space whose common state is kept: those that were synchronized last. */
const MAX_BRANCHES = 100;

export async function putState(
  db: Database,
  spaceId: string,
  { url, ref, directory }: Branch,
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
    updated_at: sql<Date>`clock_timestamp()`,
  };
  await db
    .insertInto('git_states')
    .values({ space_id: spaceId, ...values, ordered_at: orderedAt })
    .onConflict((conflict) =>
      conflict.expression(sql`space_id, ${KEY}`).doUpdateSet({
        ...values,
        ordered_at: sql`greatest(git_states.ordered_at, excluded.ordered_at)`,
      }),
    )
    .execute();
  await db
    .deleteFrom('git_states')
    .where('space_id', '=', spaceId)
    .where('updated_at', '<', (states) =>
      states
        .selectFrom('git_states')
        .select('updated_at')
        .where('space_id', '=', spaceId)
        .orderBy('updated_at', 'desc')
        .offset(MAX_BRANCHES - 1)
        .limit(1),
    )
    .execute();
}

/** The state stays what it was until the change request is merged. */
export async function setPending(
  db: Database,
  spaceId: string,
  branch: Branch,
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
    .where(isOfBranch(spaceId, branch))
    .execute();
}
