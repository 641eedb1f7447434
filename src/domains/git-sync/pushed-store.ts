import type { Database } from '../../platform/database/connection.ts';
import { packFiles, unpackFiles } from '../revisions/index.ts';
import type { GitRequest } from './policy.ts';
import type { CommonState } from './state-store.ts';

type Remote = Pick<GitRequest, 'url' | 'ref' | 'directory'>;

/** Without a common state there is nothing to record: the next export compares all files. */
export async function recordPush(
  db: Database,
  spaceId: string,
  { url, ref, directory }: Remote,
  { commit, revisionId, files }: Pick<CommonState, 'commit' | 'revisionId' | 'files'>,
): Promise<void> {
  await db
    .updateTable('git_states')
    .set({ pushed_commit_id: commit, pushed_revision_id: revisionId, pushed_files: packFiles(files) })
    .where('space_id', '=', spaceId)
    .where('url', '=', url)
    .where('ref', '=', ref)
    .where('directory', '=', directory)
    .execute();
}

/** A commit whose push was not recorded as done. */
export async function findPushed(
  db: Database,
  spaceId: string,
  { url, ref, directory }: Remote,
): Promise<Omit<CommonState, 'root'> | undefined> {
  const row = await db
    .selectFrom('git_states')
    .select(['pushed_commit_id', 'pushed_revision_id', 'pushed_files', 'content_directory'])
    .where('space_id', '=', spaceId)
    .where('url', '=', url)
    .where('ref', '=', ref)
    .where('directory', '=', directory)
    .where('pushed_commit_id', 'is not', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { pushed_commit_id: commit, pushed_revision_id: revisionId, pushed_files: files } = row;
  if (commit === null || revisionId === null || files === null) return undefined;
  return { commit, revisionId, files: unpackFiles(files), contentDirectory: row.content_directory };
}
