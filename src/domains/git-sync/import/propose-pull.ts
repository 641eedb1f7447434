import type { Repository } from '../../../platform/git/index.ts';
import { proposeContent, withdrawContent } from '../../change-requests/index.ts';
import { writeContent } from '../../content-store/index.ts';
import { findPrimary } from '../../revisions/index.ts';
import { findPull, putPull } from '../connection/connection-store.ts';
import type { Done, Finish } from './publish-commit.ts';
import { contentOf, findVersions } from './versions.ts';
import { readCommit } from './read-commit.ts';
import type { Work } from '../operations/work.ts';

/** The branch of a pull request becomes a change request; further commits of it update the change request. */
export async function proposePull(
  work: Work,
  repository: Repository,
  oid: string,
  finish: Finish,
): Promise<Done> {
  const { ctx, operation } = work;
  const { number = 0, targetRef = '', title, state } = operation.request.pullRequest ?? {};
  const { message } = await repository.readCommit(oid);
  // It is based on what the space and the target of the pull request have in common.
  const request = { ...operation.request, ref: targetRef };
  const { primary, ancestor } = await findVersions({ ...work, operation: { ...operation, request } });
  const base = ancestor ?? primary;
  const earlier = ancestor ?? { tree: primary.tree, files: new Map() };
  const content = await readCommit(work, repository, oid, base.store_id, earlier);
  work.report({ stage: 'finalize' });
  const root = await writeContent(ctx, base, contentOf(content));
  return ctx.db.transaction().execute(async (db) => {
    const { context, space } = await work.authorise(db);
    const [summary = ''] = message.split('\n', 1);
    const proposal = {
      subject: `Pull request #${number}: ${title ?? summary}`,
      root,
      ancestorId: base.revision_id,
      mayReopen: state === 'reopened',
    };
    const known = await findPull(db, operation.space_id, number);
    const proposed = await proposeContent(context, space, proposal, known);
    await putPull(db, operation.space_id, number, proposed);
    const { changeRequestId: id, revisionId } = proposed;
    const done = { revisionId, isChanged: true, commit: oid, request: { id, number: proposed.number } };
    await finish(db, done);
    return done;
  });
}

/** After a pull request was merged, its commits are imported with the branch: the change request is not needed any more. */
export async function closePull({ ctx, operation, log, authorise }: Work, finish: Finish): Promise<void> {
  const { number = 0 } = operation.request.pullRequest ?? {};
  const { space_id: spaceId } = operation;
  const { revision_id: revisionId } = await findPrimary(ctx.db, spaceId);
  await ctx.db.transaction().execute(async (db) => {
    const { context } = await authorise(db);
    const known = await findPull(db, spaceId, number);
    const archived = known && (await withdrawContent(context, known));
    if (archived)
      log.info(`Pull request #${number} is closed: change request #${archived.number} is archived.`);
    else if (known)
      log.warn(`Pull request #${number} is closed. Its change request was edited or closed: it stays.`);
    else log.info(`Pull request #${number} is closed. It has no change request.`);
    await finish(db, { revisionId, isChanged: false });
  });
}
