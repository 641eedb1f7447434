import type { Hash } from '../../content-engine/map/index.ts';
import type { Warning } from '../../content-engine/markdown/index.ts';
import { applyChanges, type Applied, type ChangeError } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { badRequest, preconditionFailed } from '../../platform/api/errors.ts';
import { matchesVersion } from '../../platform/api/etag.ts';
import type { Batch } from './batch.ts';
import { completed } from './complete.ts';
import { draftOf } from './draft.ts';
import type { Editable } from './drafting.ts';
import type { Sections } from './indexed.ts';
import { Texts, withObjects } from './objects.ts';
import { describePlace } from './place.ts';
import type { PreparedBatch } from './prepare.ts';
import type { Publishing } from './publish.ts';
import { versionOf } from './read.ts';

/** A batch that was applied, and not yet written. */
export interface AppliedBatch {
  readonly applied: Applied;
  readonly texts: ReadonlyMap<Hash, Uint8Array>;
  readonly sections: Sections;
  readonly warnings: readonly { readonly index: number; readonly warning: Warning }[];
}

export interface Edited extends Pick<AppliedBatch, 'applied' | 'warnings'> {
  readonly revisionId: string;
}

/** Applies a batch to what the space is to show: all of it or nothing, as one revision. */
export async function editPrimary(
  ctx: Context,
  publishing: Publishing,
  batch: Batch,
  prepared: PreparedBatch,
): Promise<Edited> {
  const { load, base, engine } = publishing;
  const on = { load, engine, tree: base.tree, rootOf: (id: string | undefined) => publishing.rootOf(id) };
  const { applied, texts, sections, warnings } = await applyBatch(on, batch, prepared, ctx.now());
  const { changed, tree } = applied;
  const content = { changed, tree, texts, sections };
  const revisionId = await publishing.add({ ...content, authorId: ctx.caller.id, type: 'edits' });
  return { applied, warnings, revisionId };
}

/** What a batch makes of a revision. */
export async function applyBatch(
  on: Editable,
  batch: Batch,
  { files, analyses }: PreparedBatch,
  now: Date,
): Promise<AppliedBatch> {
  requireUnchanged(on, batch);
  const texts = new Texts();
  const drafting = { ...on, load: withObjects(on.load, texts.objects), texts, files };
  const draft = await draftOf(drafting, batch.changes);
  const applied = applyChanges(on.tree, draft.changes, now.getTime());
  if (!applied.ok) throw refused(applied.errors, batch.changes);
  const { complete, sections, warnings } = await completed(
    on.engine,
    on.tree,
    applied,
    texts,
    draft.heads,
    analyses,
  );
  return {
    applied: complete,
    texts: texts.objects,
    sections,
    warnings: [...draft.warnings, ...warnings],
  };
}

function requireUnchanged({ tree }: Editable, { changes }: Batch): void {
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
  const place = describePlace(first?.path ?? 'body', changes[errors[0]?.index ?? 0]);
  return badRequest(`${place}: ${first?.rule}. No change of the batch was applied.`, details);
}
