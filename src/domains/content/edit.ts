import { linkTable } from '../../content-engine/links/index.ts';
import type { Hash } from '../../content-engine/map/index.ts';
import { analyse, type Section, type Warning } from '../../content-engine/markdown/index.ts';
import {
  applyChanges,
  deriveTree,
  filePathOf,
  inline,
  type Applied,
  type ChangeError,
  type ContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import { badRequest, preconditionFailed } from '../../platform/errors.ts';
import { matchesVersion } from '../../platform/etag.ts';
import type { Batch } from './batch.ts';
import { draftOf, ownerOf, type Pieces } from './draft.ts';
import type { Editable } from './drafting.ts';
import type { StoredFiles } from './files/new-files.ts';
import type { Sections } from './indexed.ts';
import { Texts, withObjects } from './objects.ts';
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
  files: StoredFiles,
): Promise<Edited> {
  const { load, base } = publishing;
  const on = { load, tree: base.tree, rootOf: (id: string | undefined) => publishing.rootOf(id) };
  const { applied, texts, sections, warnings } = await applyBatch(on, batch, files, ctx.now());
  const { changed, tree } = applied;
  const content = { changed, tree, texts, sections };
  const revisionId = await publishing.add({ ...content, authorId: ctx.caller.id, type: 'edits' });
  return { applied, warnings, revisionId };
}

/** What a batch makes of a revision. */
export async function applyBatch(
  on: Editable,
  batch: Batch,
  files: StoredFiles,
  now: Date,
): Promise<AppliedBatch> {
  requireUnchanged(on, batch);
  const texts = new Texts();
  const drafting = { ...on, load: withObjects(on.load, texts.objects), texts, files };
  const draft = await draftOf(drafting, batch.changes);
  const applied = applyChanges(on.tree, draft.changes, now.getTime());
  if (!applied.ok) throw refused(applied.errors);
  const { complete, sections, warnings } = withLinks(on.tree, applied, texts, draft.pieces);
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
      `body.changes.${index}: "${id}" was changed since you read it (ifMatch). Read it again, and repeat the change on that.`,
    );
  }
}

function refused(errors: readonly ChangeError[]) {
  const details = errors.map(({ index, field, message }) => ({
    path: `body.changes.${index}${field ? `.${field}` : ''}`,
    rule: message,
  }));
  const [first] = details;
  return badRequest(`${first?.path}: ${first?.rule}. Nothing of the batch was applied.`, details);
}

/** What could only be known when all changes were applied: where links lead, and which file a page is. */
function withLinks(before: Tree, applied: Applied, texts: Texts, pieces: ReadonlyMap<string, Pieces>) {
  const refs = new Map(
    applied.outcomes.flatMap(({ ref, id }) => (ref === undefined ? [] : [[ref, id] as const])),
  );
  const indexOf = new Map(applied.outcomes.map(({ id, index }) => [id, index]));
  const named = new Map([...pieces].map(([name, each]) => [refs.get(name) ?? name, each]));
  const records = new Map<string, ContentRecord>();
  const sections = new Map<string, readonly Section[]>();
  const warnings: { index: number; warning: Warning }[] = [];
  for (const [id, changed] of applied.changed) {
    const record = changed && ownerOf(applied.tree, id);
    if (!record || record.document === ownerOf(before, id)?.document) continue;
    const body = texts.objects.get(record.document);
    if (!body) continue;
    const analysis = analyse(Buffer.from(body).toString('utf8'));
    sections.set(record.document, analysis.sections);
    for (const warning of analysis.warnings) warnings.push({ index: indexOf.get(id) ?? 0, warning });
    const table = linkTable(applied.tree, id, analysis.hrefs, refs);
    const links = Object.keys(table).length > 0 ? stored(table, texts) : undefined;
    const source = sourceWith(filePathOf(applied.tree, id), named.get(id), texts);
    records.set(id, {
      ...record,
      ...(links === undefined ? {} : { links }),
      ...(source === undefined ? {} : { source: { ...record.source, ...source } }),
    });
  }
  const complete: Applied = {
    ...applied,
    tree: records.size === 0 ? applied.tree : deriveTree(applied.tree, records),
    changed: new Map([...applied.changed, ...records]),
  };
  return { complete, sections, warnings };
}

function sourceWith(path: string | undefined, pieces: Pieces | undefined, texts: Texts) {
  if (!pieces || path === undefined) return undefined;
  const { frontmatter, titleLine } = pieces;
  return {
    path,
    ...(frontmatter ? { frontmatter: stored(frontmatter, texts) } : {}),
    ...(titleLine ? { titleLine } : {}),
  };
}

function stored<T extends object | string>(value: T, texts: Texts) {
  const inlined = inline(value);
  if (inlined.blob !== undefined) texts.add(inlined.blob);
  return inlined.value;
}
