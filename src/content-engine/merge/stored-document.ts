import type { Hash } from '../map/index.ts';
import type { ContentRecord, Inline, LinkTable } from '../tree/index.ts';
import { outOfLineHash, type TextStore } from './text-store.ts';
import { mapVersions, trivialMerge, type Versions } from './versions.ts';
import type { LinkedBody } from './disambiguate-links.ts';

/** The members of a record that hold its body and link table. */
export interface StoredDocument {
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
}

/** A missing document is an empty body. */
export const readDocument = (content: StoredDocument | undefined, texts: TextStore): LinkedBody => ({
  text: content === undefined ? '' : texts.get(content.document),
  links: content?.links === undefined ? {} : texts.value<LinkTable>(content.links),
});

export const storeDocument = ({ text, links }: LinkedBody, texts: TextStore): StoredDocument => ({
  document: texts.add(text),
  ...(Object.keys(links).length === 0 ? {} : { links: texts.inline(links) }),
});

/** Members that are or may contain texts. A body and its links are merged together. */
const TEXTS = [['document', 'links'], ['source'], ['summary'], ['configuration'], ['tagsSource']] as const;

/** The hashes of the texts that a merge of these records needs. */
export function hashesToMerge(records: Versions<ContentRecord | undefined>): Hash[] {
  return TEXTS.flatMap((names) => {
    const versions = mapVersions(records, (record) => names.map((name) => valueOf(record, name) ?? null));
    return trivialMerge(versions) === undefined ? Object.values(versions).flat().flatMap(hashesIn) : [];
  });
}

const valueOf = (record: ContentRecord | undefined, name: string): unknown =>
  (record as Readonly<Record<string, unknown>> | undefined)?.[name];

/** The hash of a document, of an out-of-line value, or of the out-of-line members of a value. */
function hashesIn(value: unknown): Hash[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value)].flatMap(outOfLineHash);
}
