import { mergeContent } from '../../../content-engine/merge/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { bodyTasksFor, pinMerged, proposeContent } from '../../change-requests/index.ts';
import { loaderOf, rootOf, writeContent, type Base } from '../../content-store/index.ts';
import { type GitCommit, type Publishing } from '../../revisions/index.ts';
import { addRevision, publish, type Done, type Finish } from './publish-commit.ts';
import type { CommitContent } from './commit-content.ts';
import { putState, setPending } from '../operations/state-store.ts';
import { contentOf, deletesMost, type Ancestor } from './versions.ts';
import type { Work } from '../operations/work.ts';

/**
 * Merges the changes of the branch and of the space. They become a change request if they conflict, or if the commit deletes
 * most pages.
 */
export async function mergeCommit(
  work: Work,
  { primary, ancestor }: { readonly primary: Base; readonly ancestor: Ancestor },
  content: CommitContent,
  git: GitCommit,
  finish: Finish,
): Promise<Done | undefined> {
  const { ctx, operation } = work;
  const { analyses, files, contentDirectory } = content;
  const { space_id: spaceId, request, ordered_at: orderedAt } = operation;
  const root = await writeContent(ctx, ancestor, contentOf(content));
  const load = loaderOf(ctx, primary.store_id);
  const roots = { ancestor: rootOf(ancestor), primary: rootOf(primary), proposed: root };
  const run = bodyTasksFor(ctx, primary.tree);
  const merged = await mergeContent(load, roots, primary.tree, { run });
  const write = async (db: Database, publishing: Publishing): Promise<Done> => {
    const { revision_id: before } = publishing.base;
    if (merged.conflicts.length > 0 || deletesMost(ancestor, content)) {
      const { context, space } = await work.authorise(db);
      const [summary = ''] = git.message.split('\n', 1);
      const proposal = {
        subject: `Import ${git.oid.slice(0, 8)}: ${summary}`,
        root,
        ancestorId: ancestor.revision_id,
      };
      const request = await proposeContent(context, space, proposal, ancestor.pending);
      const { changeRequestId, number, revisionId } = request;
      const pending = { changeRequestId, revisionId, commit: git.oid, files, contentDirectory };
      await setPending(db, spaceId, operation.request, pending, orderedAt);
      const opened = { id: changeRequestId, number };
      const { contentDirectory: unchanged } = ancestor;
      const done = { revisionId: before, isChanged: false, commit: git.oid, request: opened };
      return { ...done, contentDirectory: unchanged };
    }
    const commitRevision = await addRevision(work, db, ancestor.revision_id, root, git);
    const pinned = await pinMerged({ ...ctx, db }, publishing, merged);
    const revisionId = await publishing.add({
      ...pinned,
      authorId: operation.user_id ?? undefined,
      // The public schema reserves "merge" for change requests.
      type: 'edits',
      git,
      analyses,
      mergedRevisions: [commitRevision],
    });
    await publishing.write();
    const state = { commit: git.oid, revisionId: commitRevision, files, contentDirectory };
    await putState(db, spaceId, request, state, orderedAt);
    return { revisionId, isChanged: revisionId !== before, commit: git.oid, contentDirectory };
  };
  return publish(work, { primary }, write, finish);
}
