import { mergeContent } from '../../content-engine/merge/index.ts';
import type { NodeHash } from '../../content-engine/map/index.ts';
import { buildTree } from '../../content-engine/tree/index.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Repository } from '../../platform/git/index.ts';
import { bodyTasksFor, pinMerged, proposeContent } from '../change-requests/index.ts';
import { changesTo } from '../content/index.ts';
import {
  columnOf,
  findPrimary,
  insertProposedRevision,
  loaderOf,
  lockToPublish,
  rootOf,
  treeAt,
  writeContent,
  type Base,
  type GitCommit,
  type Publishing,
} from '../revisions/index.ts';
import { commitInfo } from './commit-info.ts';
import { findCommonState } from './common-state.ts';
import { GitFailure } from './git-failure.ts';
import { readCommit, type CommitContent } from './read-commit.ts';
import { putState, setPending, type SyncState } from './state-store.ts';
import type { Work } from './work.ts';

/** What an operation did. */
export interface Done {
  /** The primary revision; of a standalone import, the new one. */
  readonly revisionId: string;
  readonly isChanged: boolean;
  readonly commit: string;
  /** Where the commit conflicts with the space: the change request that contains it. */
  readonly request?: { readonly id: string; readonly number: number };
}

/** Called in the transaction of the new revision. */
export type Finish = (db: Database, done: Done) => Promise<void>;

/** How often an import starts over because the space was edited meanwhile. */
const MAX_TRIES = 5;

/** The versions that an import compares. */
interface Versions {
  readonly primary: Base;
  /** The content that the space and the branch had in common; undefined at the first import. */
  readonly ancestor: (Base & Pick<SyncState, 'files' | 'pending'>) | undefined;
}

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
      : ancestor && !operation.request.force && rootOf(ancestor) !== rootOf(primary)
        ? await merge(work, { primary, ancestor }, content, git, finish)
        : await replace(work, versions, content, git, finish);
    if (imported) return imported;
  }
  throw new GitFailure('The space was edited during each attempt. Nothing was imported; try again.');
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

/** Runs in the transaction that publishes. Undefined: the space was edited meanwhile. */
async function publish(
  work: Work,
  { primary }: Pick<Versions, 'primary'>,
  write: (db: Database, publishing: Publishing) => Promise<Done>,
  finish: Finish,
): Promise<Done | undefined> {
  const { ctx, engine, operation } = work;
  return ctx.db.transaction().execute(async (db) => {
    const publishing = await lockToPublish({ ...ctx, db }, engine, operation.space_id);
    if (publishing.base.revision_id !== primary.revision_id) return undefined;
    if (publishing.base.store_id !== primary.store_id)
      throw new GitFailure('The space was transferred to another organization. Start the operation again.');
    const imported = await write(db, publishing);
    await finish(db, imported);
    work.signal.throwIfAborted();
    return imported;
  });
}

/** The content of the commit becomes the content of the space. */
const replace = (
  work: Work,
  versions: Versions,
  { records, analyses, files }: CommitContent,
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
        changed: changesTo(publishing.base.tree, records),
        tree: buildTree(records),
        texts: new Map(),
        analyses,
      });
      await publishing.write();
      const state = { commit: git.oid, revisionId, files };
      await putState(db, operation.space_id, operation.request, state, operation.ordered_at);
      return { revisionId, isChanged: revisionId !== before, commit: git.oid };
    },
    finish,
  );

/** The space changed since the last synchronization: both changes are merged, or become a change request. */
async function merge(
  work: Work,
  { primary, ancestor }: Required<{ [K in keyof Versions]: NonNullable<Versions[K]> }>,
  { records, analyses, files }: CommitContent,
  git: GitCommit,
  finish: Finish,
): Promise<Done | undefined> {
  const { ctx, operation } = work;
  const { space_id: spaceId, request, ordered_at: orderedAt } = operation;
  const root = await writeContent(ctx, ancestor, contentOf(ancestor, records));
  const load = loaderOf(ctx, primary.store_id);
  const roots = { ancestor: rootOf(ancestor), primary: rootOf(primary), proposed: root };
  const run = bodyTasksFor(ctx, operation.organization_id, primary.tree);
  const merged = await mergeContent(load, roots, primary.tree, [], run);
  const write = async (db: Database, publishing: Publishing): Promise<Done> => {
    const { revision_id: before } = publishing.base;
    if (merged.conflicts.length > 0) {
      const { context, space } = await work.authorise(db);
      const [summary = ''] = git.message.split('\n', 1);
      const proposal = {
        subject: `Import ${git.oid.slice(0, 8)}: ${summary}`,
        root,
        ancestorId: ancestor.revision_id,
      };
      const request = await proposeContent(context, space, proposal, ancestor.pending);
      const { changeRequestId, number, revisionId } = request;
      await setPending(db, spaceId, { changeRequestId, revisionId, commit: git.oid, files }, orderedAt);
      const opened = { id: changeRequestId, number };
      return { revisionId: before, isChanged: false, commit: git.oid, request: opened };
    }
    const commitRevision = await addRevision(work, db, ancestor.revision_id, root, git);
    const content = await pinMerged({ ...ctx, db }, publishing, merged);
    const revisionId = await publishing.add({
      ...content,
      authorId: operation.user_id ?? undefined,
      // The public schema reserves "merge" for change requests.
      type: 'edits',
      git,
      analyses,
      mergedRevisions: [commitRevision],
    });
    await publishing.write();
    await putState(db, spaceId, request, { commit: git.oid, revisionId: commitRevision, files }, orderedAt);
    return { revisionId, isChanged: revisionId !== before, commit: git.oid };
  };
  return publish(work, { primary }, write, finish);
}

/** A revision that the space does not show. */
async function addStandalone(
  work: Work,
  { primary, ancestor }: Versions,
  { records }: CommitContent,
  git: GitCommit,
  finish: Finish,
): Promise<Done> {
  const { ctx } = work;
  const base = ancestor ?? primary;
  const root = await writeContent(ctx, base, contentOf(base, records));
  return ctx.db.transaction().execute(async (db) => {
    const revisionId = await addRevision(work, db, base.revision_id, root, git);
    const imported = { revisionId, isChanged: true, commit: git.oid };
    await finish(db, imported);
    return imported;
  });
}

/** The content of a commit as a revision of its own, outside of the history of the space. */
async function addRevision(
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

/** The records of a commit as changes of a revision. */
export const contentOf = ({ tree }: Base, records: CommitContent['records']) => ({
  changed: changesTo(tree, records),
  tree: buildTree(records),
  texts: new Map(),
});
