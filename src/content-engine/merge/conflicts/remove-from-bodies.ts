import { sizeOfText } from '../../size-of-text.ts';
import { type Hash, type Load } from '../../map/index.ts';
import { hrefsOf } from '../../markdown/index.ts';
import type { ContentRecord } from '../../tree/index.ts';
import type { RunBodyTasks } from '../body-tasks.ts';
import { withoutBlocks } from '../body/select-blocks.ts';
import type { LinkedBody } from '../disambiguate-links.ts';
import { readDocument, storeDocument, type StoredDocument } from '../stored-document.ts';
import { outOfLineHash, type TextStore } from '../text-store.ts';

export interface Removal {
  readonly record: ContentRecord & StoredDocument;
  readonly keys: readonly string[];
  /** The body to remove them from, if it is not that of the record. */
  readonly body?: string | undefined;
}

/** The records without some blocks of their bodies, in the same order. */
export async function removeFromBodies(
  load: Load,
  removals: readonly Removal[],
  texts: TextStore,
  run: RunBodyTasks,
): Promise<ContentRecord[]> {
  const hashes = removals.flatMap(({ record }): Hash[] => [record.document, ...outOfLineHash(record.links)]);
  await texts.load(load, hashes);
  const tasks = removals.map(({ record, keys, body = texts.get(record.document) }) => {
    const { links } = readDocument(record, texts);
    const perform = () => removeBlocks({ text: body, links }, new Set(keys));
    return { entry: record.id, size: sizeOfText(body), perform };
  });
  return run(tasks).map((remaining, index) => {
    const { links: _links, ...rest } = (removals[index] as Removal).record;
    return { ...rest, ...storeDocument(remaining, texts) } as ContentRecord;
  });
}

/** Removes the blocks with these keys, and the links whose hrefs no longer occur. */
function removeBlocks({ text, links }: LinkedBody, keys: ReadonlySet<string>): LinkedBody {
  const remaining = keys.size === 0 ? text : withoutBlocks(text, keys);
  const hrefs = new Set(hrefsOf(remaining).map(({ href }) => href));
  return {
    text: remaining,
    links: Object.fromEntries(Object.entries(links).filter(([href]) => hrefs.has(href))),
  };
}
