import { sizeOfText } from '../size-of-text.ts';
import { hashOf, type Hash, type Load } from '../map/index.ts';
import type { Pause } from '../pause.ts';
import type { ContentRecord, LinkTable } from '../tree/index.ts';
import type { BodyTask, RunBodyTasks } from './body-tasks.ts';
import type { BlockRemoval, RemainingBody } from './remove-blocks.ts';
import { readDocument, storeDocument, type StoredDocument } from './stored-document.ts';
import { outOfLineHash, type TextStore } from './text-store.ts';

export interface Removal {
  readonly record: ContentRecord & StoredDocument;
  readonly keys: readonly string[];
  /** The body to remove them from, if it is not that of the record. */
  readonly body?: string | undefined;
}

/**
 * The records without some blocks of their bodies, in the same order. All bodies are one call of `run`, because a call
 * may start the transaction over.
 */
export async function removeFromBodies(
  load: Load,
  removals: readonly Removal[],
  texts: TextStore,
  run: RunBodyTasks,
  pause: Pause,
): Promise<ContentRecord[]> {
  const hashes = removals.flatMap(({ record }): Hash[] => [record.document, ...outOfLineHash(record.links)]);
  await texts.load(load, hashes, pause);
  const tasks: BodyTask<BlockRemoval>[] = [];
  for (const { record, keys, body } of removals) {
    const text = body ?? texts.get(record.document);
    tasks.push({
      input: { body: text, keys: new Set(keys) },
      key: `${body === undefined ? record.document : hashOf(body)} ${keys.join(' ')}`,
      entry: record.id,
      size: sizeOfText(text),
    });
    await pause();
  }
  const remaining = await run('removeBlocks', tasks);
  const records: ContentRecord[] = [];
  for (const [index, { record }] of removals.entries()) {
    const { text, hrefs } = remaining[index] as RemainingBody;
    const { links } = readDocument(record, texts);
    const { links: _links, ...rest } = record;
    records.push({
      ...rest,
      ...storeDocument({ text, links: linksIn(links, hrefs) }, texts),
    } as ContentRecord);
    await pause();
  }
  return records;
}

/** The part of a link table whose hrefs occur in the body. */
const linksIn = (links: LinkTable, hrefs: ReadonlySet<string>): LinkTable =>
  Object.fromEntries(Object.entries(links).filter(([href]) => hrefs.has(href)));
