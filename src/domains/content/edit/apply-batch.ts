import type { Hash } from '../../../content-engine/map/index.ts';
import { applyChanges, type Applied, type ChangeError } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest, preconditionFailed } from '../../../platform/api/errors.ts';
import { matchesVersion } from '../../../platform/api/etag.ts';
import type { StoredFiles } from '../files/batch-files.ts';
import type { Batch } from './batch.ts';
import { finishRecords } from './finish-records.ts';
import { toEngineChanges } from './engine-changes.ts';
import type { BatchBase } from './batch-context.ts';
import { type Analyses, type NewTexts } from '../../content-store/index.ts';
import { versionOf, type Publishing } from '../../revisions/index.ts';
import { describeBody, describePath } from './change-path.ts';
import { looseLinksIn, pinLinks } from './pin-links.ts';
import type { ChangeWarning } from './sent-bodies.ts';

/** A batch that was applied, and not yet written. */
export interface AppliedBatch {
  readonly applied: Applied;
  readonly texts: NewTexts;
  readonly analyses: Analyses;
  readonly warnings: readonly ChangeWarning[];
}

export interface Edited extends Pick<AppliedBatch, 'applied' | 'warnings'> {
  readonly revisionId: string;
}

/** Applies a batch to the primary content of a space, as one revision: all changes or none. */
export async function editPrimary(
  ctx: Context,
  publishing: Publishing,
  batch: Batch,
  files: StoredFiles,
): Promise<Edited> {
  const { load, spaceId } = publishing;
  const { tree: base } = publishing.base;
  const unindexed = async () => publishing.unindexed;
  const on = {
    load,
    isFront: ctx.isFront,
    tree: base,
    rootOf: (id: string | undefined) => publishing.rootOf(id),
    findLoose: looseLinksIn({ ctx, load, spaceId, tree: base, unindexed }),
  };
  const { applied, texts, analyses, warnings } = await applyBatch(on, batch, files, ctx.now());
  const { changed, tree } = applied;
  const content = { changed, tree, texts, analyses };
  const revisionId = await publishing.add({ ...content, authorId: ctx.caller.id, type: 'edits' });
  return { applied, warnings, revisionId };
}

/** Applies a batch to a revision, without writing anything. */
export async function applyBatch(
  on: BatchBase,
  batch: Batch,
  files: StoredFiles,
  now: Date,
): Promise<AppliedBatch> {
  requireUnchanged(on, batch);
  const texts = new Map<Hash, string>();
  const sent = await toEngineChanges({ ...on, texts, files }, batch.changes);
  const applied = applyChanges(on.tree, sent.changes, now.getTime());
  if (!applied.ok) throw refused(applied.errors, batch.changes);
  const finished = finishRecords(on, on.tree, applied, texts, sent.heads, (index) =>
    describeBody(batch.changes, index),
  );
  const pinned = await pinLinks(on, on.findLoose, on.load, on.tree, finished.complete, texts);
  return {
    applied: pinned,
    texts,
    analyses: finished.analyses,
    warnings: [...sent.warnings, ...finished.warnings],
  };
}

function requireUnchanged({ tree }: BatchBase, { changes }: Batch): void {
  for (const [index, change] of changes.entries()) {
    if (!('ifMatch' in change) || change.ifMatch === undefined) continue;
    const id = 'page' in change ? change.page : change.reusableContent;
    const record = tree.records.get(id);
    if (record && matchesVersion(change.ifMatch, versionOf(record))) continue;
    throw preconditionFailed(
      `body.changes.${index}: "${id}" has changed since you read it (ifMatch). Read it again and retry.`,
    );
  }
}

function refused(errors: readonly ChangeError[], changes: Batch['changes']) {
  const details = errors.map(({ index, field, message }) => ({
    path: `body.changes.${index}${field ? `.${field}` : ''}`,
    rule: message,
  }));
  const [first] = details;
  const place = describePath(first?.path ?? 'body', changes[errors[0]?.index ?? 0]);
  return badRequest(`${place}: ${first?.rule}. No change of the batch was applied.`, details);
}
