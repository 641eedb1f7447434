import { hashOf, type Hash } from '../../../content-engine/map/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import type { BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { pauseBetweenSlices } from '../../../platform/threads/slices.ts';
import type { Batch, Change } from './batch.ts';
import { type ContentRow, engineOf, isLarge } from '../../revisions/index.ts';
import { insertsFiles, storeFilesOf, type StoredFiles } from '../files/batch-files.ts';
import { readSentPage, readSentReusableContent, requireBodySize } from './source-file.ts';
import { describeBody } from './change-path.ts';

/** The slow part of a batch that does not depend on the content: done before the space is locked. */
export interface PreparedBatch {
  readonly files: StoredFiles;
  /** Of large bodies, by their hashes. */
  readonly analyses: ReadonlyMap<Hash, BodyAnalysis>;
}

export const NOTHING_PREPARED: PreparedBatch = { files: [], analyses: new Map() };

export const needsPreparing = (batch: Batch): boolean =>
  insertsFiles(batch) || batch.changes.some((change) => isLarge(sizeOfText(markdownOf(change))));

export async function prepareBatch(ctx: Context, row: ContentRow, batch: Batch): Promise<PreparedBatch> {
  const engine = engineOf(ctx, row.organization_id);
  const analyses = new Map<Hash, BodyAnalysis>();
  const pause = pauseBetweenSlices();
  for (const [index, change] of batch.changes.entries()) {
    const markdown = markdownOf(change);
    const what = describeBody(batch.changes, index);
    requireBodySize(markdown, what);
    if (!isLarge(sizeOfText(markdown))) continue;
    await pause();
    const body = bodyIn(change, markdown);
    const hash = hashOf(body);
    if (!analyses.has(hash))
      analyses.set(hash, await engine.run('analyseBody', body, { size: sizeOfText(body), what }));
  }
  return { files: await storeFilesOf(ctx, row, batch), analyses };
}

const markdownOf = (change: Change): string =>
  'document' in change && change.document && 'markdown' in change.document ? change.document.markdown : '';

/** A new page or reusable content may be sent with frontmatter and a title line before its body. */
function bodyIn(change: Change, markdown: string): string {
  if (change.operation === 'insert_page') return readSentPage(markdown).pieces.body;
  if (change.operation === 'insert_reusable_content') return readSentReusableContent(markdown).pieces.body;
  return markdown;
}
