import { isBodyChange } from '../../../content-engine/folder/index.ts';
import { diff } from '../../../content-engine/map/index.ts';
import type { ContentRecord } from '../../../content-engine/tree/index.ts';
import type { Repository, Signature, TreeEntry } from '../../../platform/git/index.ts';
import { bodiesOf, folderOf, openStored, type FolderFiles, type FolderSource } from '../../content/index.ts';
import { loaderOf, rootOf, treeAt } from '../../content-store/index.ts';
import { findPrimary, setCommit, type Primary } from '../../revisions/index.ts';
import { commitInfo, serviceIdentity } from '../operations/commit-info.ts';
import { findCommonState } from '../operations/common-state.ts';
import { confirmPush } from './confirm-push.ts';
import { findContentDirectory } from '../content-directory.ts';
import { GitFailure } from '../operations/git-failure.ts';
import { importCommit } from '../import/import-commit.ts';
import type { Finish } from '../import/publish-commit.ts';
import { planExport, type ExportPlan } from './plan-export.ts';
import { findAuthor, findSummary } from './author-store.ts';
import { recordPush } from './pushed-store.ts';
import { findLastBranch, putState, type SyncState } from '../operations/state-store.ts';
import type { Work } from '../operations/work.ts';

/** How often an export starts over because others pushed meanwhile. */
const MAX_TRIES = 3;

/**
 * Exports a space to a branch as one commit on top of its last one: history is never rewritten. Commits that were not
 * imported yet are merged into the space first.
 */
export async function exportSpace(work: Work, repository: Repository, finish: Finish): Promise<void> {
  const { request } = work.operation;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const head = await repository.fetch(request.ref);
    if (head === undefined) await requireNewBranch(work);
    else await mergeNewCommits(work, repository, head);
    if (await exportOnto(work, repository, head, finish)) return;
  }
  throw new GitFailure(
    `Others pushed to the branch during each of ${MAX_TRIES} attempts. Nothing was exported; try again.`,
  );
}

/** A branch that was deleted is not made again: its history, and files beside those of the space, would be missing. */
async function requireNewBranch({ ctx, operation }: Work): Promise<void> {
  const { request } = operation;
  if (request.force || !(await findCommonState(ctx.db, operation))) return;
  throw new GitFailure(
    `The branch ${request.ref} was deleted. Restore it at the host of the repository, or export with \`force\` to make a new one.`,
  );
}

/** If `force` is set, the space wins: its files replace those of the commits. */
async function mergeNewCommits(work: Work, repository: Repository, head: string): Promise<void> {
  const { ctx, operation } = work;
  await confirmPush(work, repository, head);
  const state = await findCommonState(ctx.db, operation);
  if (!state || state.commit === head || operation.request.force) return;
  const { request } = await importCommit(work, repository, head, async () => {});
  if (!request) return;
  throw new GitFailure(
    `The branch has changes that conflict with the space. They are in change request #${request.number}: merge it, ` +
      'and export again. Nothing was exported.',
    { changeRequestId: request.id },
  );
}

/** False: the branch has moved on, and nothing was pushed. */
async function exportOnto(
  work: Work,
  repository: Repository,
  head: string | undefined,
  finish: Finish,
): Promise<boolean> {
  const { ctx, operation, log } = work;
  const { request, space_id: spaceId } = operation;
  work.report({ stage: 'content_process' });
  const primary = await findPrimary(ctx.db, spaceId);
  const plan = await planChanges(work, repository, head, primary);
  const commit = (await addCommit(work, repository, head, primary, plan)) ?? head;
  work.report({ stage: 'finalize', completed: plan.files.size });
  if (commit === undefined)
    throw new GitFailure('The space is empty, and the repository has no such branch.');
  if (commit !== head) {
    const { revision_id: revisionId } = primary;
    await recordPush(ctx.db, spaceId, request, { commit, revisionId, files: plan.files });
    if (!(await repository.push(commit, request.ref))) return false;
  }
  if (commit === head) log.info('Nothing to export: the branch has the content of the space.');
  const git = commitInfo(ctx.addresses, request, await repository.readCommit(commit));
  await ctx.db.transaction().execute(async (db) => {
    const { revision_id: revisionId } = primary;
    const { files, directory: contentDirectory } = plan;
    await putState(
      db,
      spaceId,
      request,
      { commit, revisionId, files, contentDirectory },
      operation.ordered_at,
    );
    if (commit !== head) await setCommit(db, revisionId, git);
    await finish(db, { revisionId, isChanged: commit !== head, commit, contentDirectory });
  });
  return true;
}

async function planChanges(
  work: Work,
  repository: Repository,
  head: string | undefined,
  primary: Primary,
): Promise<ExportPlan & { readonly directory: string }> {
  const { ctx, operation, log } = work;
  const load = loaderOf(ctx, primary.store_id);
  const tree = await treeAt(ctx, load, rootOf(primary));
  const state = await findCommonState(ctx.db, operation);
  const source = { load, tree, isFront: ctx.isFront };
  const bodies = state && state.commit === head ? await changedBodies(source, state, primary) : undefined;
  const written = bodies ?? (await folderOf(source));
  const directory = state?.contentDirectory ?? (await newDirectory(work, repository, head));
  work.report({ dispatched: written.count });
  const plan = planExport(written.files, {
    isPartial: bodies !== undefined,
    repository,
    directory,
    log,
    present: (head === undefined ? undefined : await repository.listFiles(head, directory)) ?? [],
    earlier: head === undefined ? await earlierFiles(work, repository) : [],
    common: state && { files: state.files, tree: await treeAt(ctx, load, rootOf(state)) },
    readFile: async (path, hash) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await openStored(ctx, path, hash)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  });
  return { ...plan, directory };
}

/** What a space does not contain, such as whether a file is executable. */
async function earlierFiles({ ctx, operation }: Work, repository: Repository): Promise<readonly TreeEntry[]> {
  const { space_id: spaceId, request } = operation;
  const branch = await findLastBranch(ctx.db, spaceId, request.url);
  if (!branch) return [];
  const head = await repository.fetch(branch.ref);
  return (head === undefined ? undefined : await repository.listFiles(head, branch.contentDirectory)) ?? [];
}

/** The directory of the first export. Later ones write to the directory that the content was imported from or exported to. */
async function newDirectory(work: Work, repository: Repository, head: string | undefined): Promise<string> {
  if (head === undefined) return work.operation.request.directory;
  return (await findContentDirectory(work, repository, head)).path;
}

/** The files of pages, where nothing but their bodies changed since the last synchronization. */
async function changedBodies(
  source: FolderSource,
  state: SyncState,
  primary: Primary,
): Promise<FolderFiles | undefined> {
  const differences = await diff<ContentRecord>(source.load, rootOf(state), rootOf(primary));
  if (!differences.every(({ before, after }) => isBodyChange(before, after))) return undefined;
  return bodiesOf(
    source,
    differences.map(({ id }) => id),
  );
}

/** The author is the person who made the revision; the service is the committer. Undefined: there is nothing to commit. */
async function addCommit(
  { ctx, operation }: Work,
  repository: Repository,
  parent: string | undefined,
  { revision_id: revisionId }: Primary,
  { changes }: ExportPlan,
): Promise<string | undefined> {
  const first = await changes.next();
  if (first.done) return undefined;
  const committer = serviceIdentity(ctx.addresses);
  const author: Signature = (await findAuthor(ctx.db, revisionId)) ?? committer;
  const message = operation.request.commitMessage ?? (await findSummary(ctx.db, revisionId));
  const all = startingWith(first.value, changes);
  return repository.addCommit({ parent, changes: all, message, author, committer, time: ctx.now() });
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield first;
  yield* rest;
}
