import type { Repository } from '../../../platform/git/index.ts';
import { changesTo } from '../../content/index.ts';
import { rootOf, writeContent, type Base } from '../../content-store/index.ts';
import { type GitCommit } from '../../revisions/index.ts';
import { commitInfo } from '../operations/commit-info.ts';
import { GitFailure } from '../operations/git-failure.ts';
import { mergeCommit } from './merge-commit.ts';
import { addRevision, publish, type Done, type Finish } from './publish-commit.ts';
import type { CommitContent } from './commit-content.ts';
import { readCommit } from './read-commit.ts';
import { putState } from '../operations/state-store.ts';
import { contentOf, deletesMost, findVersions, type Versions } from './versions.ts';
import type { Work } from '../operations/work.ts';

/** How often an import starts over because the space was edited meanwhile. */
const MAX_TRIES = 5;

/**
 * Imports a commit: a three-way merge with the last common commit as ancestor. The first import, and one with `force`,
 * replaces the content. All but the publication happens before the transaction, so that it is short.
 */
export async function importCommit(
  work: Work,
  repository: Repository,
  oid: string,
  finish: Finish,
): Promise<Done> {
  const { ctx, operation } = work;
  const git = commitInfo(ctx.addresses, operation.request, await repository.readCommit(oid));
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const versions = await findVersions(work);
    const { primary, ancestor } = versions;
    const earlier = ancestor ?? { tree: primary.tree, files: new Map() };
    const content = await readCommit(work, repository, oid, primary.store_id, earlier);
    work.report({ stage: 'finalize' });
    const imported = operation.request.standalone
      ? await addStandalone(work, versions, content, git, finish)
      : ancestor &&
          !operation.request.force &&
          (rootOf(ancestor) !== rootOf(primary) || deletesMost(ancestor, content))
        ? await mergeCommit(work, { primary, ancestor }, content, git, finish)
        : await replace(work, versions, content, git, finish);
    if (imported) return imported;
  }
  throw new GitFailure('The space was edited during each attempt. Nothing was imported; try again.');
}

/** The content of the commit becomes the content of the space. */
const replace = (
  work: Work,
  versions: Versions,
  { changed, tree, analyses, files, contentDirectory }: CommitContent,
  git: GitCommit,
  finish: Finish,
): Promise<Done | undefined> =>
  publish(
    work,
    versions,
    async (db, publishing) => {
      const { operation } = work;
      const before = publishing.base.revision_id;
      const revisionId = await publishing.add({
        authorId: operation.user_id ?? undefined,
        type: 'edits',
        git,
        changed: isReadAgainst(versions, publishing.base)
          ? changed
          : changesTo(publishing.base.tree, [...tree.records.values()]),
        tree,
        texts: new Map(),
        analyses,
      });
      await publishing.write();
      const state = { commit: git.oid, revisionId, files, contentDirectory };
      await putState(db, operation.space_id, operation.request, state, operation.ordered_at);
      return { revisionId, isChanged: revisionId !== before, commit: git.oid, contentDirectory };
    },
    finish,
  );

/** Whether a commit was read against this content: with `force`, the space may have moved on since. */
const isReadAgainst = ({ primary, ancestor }: Versions, base: Base): boolean =>
  rootOf(ancestor ?? primary) === rootOf(base);

/** A revision that the space does not show. */
async function addStandalone(
  work: Work,
  { primary, ancestor }: Versions,
  content: CommitContent,
  git: GitCommit,
  finish: Finish,
): Promise<Done> {
  const { ctx } = work;
  const base = ancestor ?? primary;
  const root = await writeContent(ctx, base, contentOf(content));
  return ctx.db.transaction().execute(async (db) => {
    const revisionId = await addRevision(work, db, base.revision_id, root, git);
    const { contentDirectory } = content;
    const imported = { revisionId, isChanged: true, commit: git.oid, contentDirectory };
    await finish(db, imported);
    return imported;
  });
}
