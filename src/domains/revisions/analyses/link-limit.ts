import { MAX_HREFS } from '../../../content-engine/links/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import { unprocessable } from '../../../platform/api/errors.ts';
import type { BodyFacts } from '../../link-index/index.ts';
import { findWithBody } from '../../content-store/index.ts';

/** Links of changed pages in one publication: writing them is the longest part of its transaction. */
const MAX_LINKS = 500_000;

/** Refuses a publication before its links are resolved and written. */
export function requireFewLinks(
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
  facts: ReadonlyMap<Hash, BodyFacts>,
): void {
  let count = 0;
  for (const id of changed.keys()) {
    const record = findWithBody(after, id);
    const hrefs = record && facts.get(record.document)?.hrefs.length;
    count += Math.min(hrefs ?? 0, MAX_HREFS);
  }
  if (count <= MAX_LINKS) return;
  throw unprocessable(
    `The changed pages contain more than ${MAX_LINKS.toLocaleString('en')} links. Publish them in several parts.`,
  );
}
