import type { Database } from '../../../platform/database/connection.ts';
import { packFiles, unpackFiles } from '../../revisions/index.ts';
import { isOfBranch, type Branch, type CommonState } from '../operations/state-store.ts';

/** Records nothing if there is no common state: the next export compares all files. */
export async function recordPush(
  db: Database,
  spaceId: string,
  branch: Branch,
  { commit, revisionId, files }: Pick<CommonState, 'commit' | 'revisionId' | 'files'>,
): Promise<void> {
  await db
    .updateTable('git_states')
    .set({ pushed_commit_id: commit, pushed_revision_id: revisionId, pushed_files: packFiles(files) })
    .where(isOfBranch(spaceId, branch))
    .execute();
}

/** A commit whose push was not recorded as done. */
export async function findPushed(
  db: Database,
  spaceId: string,
  branch: Branch,
): Promise<Omit<CommonState, 'root'> | undefined> {
  const row = await db
    .selectFrom('git_states')
    .select(['pushed_commit_id', 'pushed_revision_id', 'pushed_files', 'content_directory'])
    .where(isOfBranch(spaceId, branch))
    .where('pushed_commit_id', 'is not', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { pushed_commit_id: commit, pushed_revision_id: revisionId, pushed_files: files } = row;
  if (commit === null || revisionId === null || files === null) return undefined;
  return { commit, revisionId, files: unpackFiles(files), contentDirectory: row.content_directory };
}
