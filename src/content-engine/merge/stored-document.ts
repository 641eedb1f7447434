import type { Hash } from '../map/index.ts';
import type { ContentRecord, Inline, LinkTable } from '../tree/index.ts';
import { hashElsewhere, type Texts } from './text-store.ts';
import { agreed, mapThree, type Three } from './versions.ts';
import type { Written } from './disambiguate-links.ts';

/** A body and where its links lead, as a record keeps them. */
export interface WithContent {
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
}

/** What was not there is an empty body. */
export const readDocument = (content: WithContent | undefined, texts: Texts): Written => ({
  text: content === undefined ? '' : texts.get(content.document),
  links: content?.links === undefined ? {} : texts.value<LinkTable>(content.links),
});

export const keepDocument = ({ text, links }: Written, texts: Texts): WithContent => ({
  document: texts.add(text),
  ...(Object.keys(links).length === 0 ? {} : { links: texts.inline(links) }),
});

/** Members that are texts or may hold some. A body and its links are merged together. */
const TEXTS = [['document', 'links'], ['source'], ['summary'], ['configuration'], ['tagsSource']] as const;

/** Hashes of the texts that merging these needs. */
export function textsFor(records: Three<ContentRecord | undefined>): Hash[] {
  return TEXTS.flatMap((names) => {
    const three = mapThree(records, (record) => names.map((name) => valueOf(record, name) ?? null));
    return agreed(three) === undefined ? Object.values(three).flat().flatMap(hashesIn) : [];
  });
}

const valueOf = (record: ContentRecord | undefined, name: string): unknown =>
  (record as Readonly<Record<string, unknown>> | undefined)?.[name];

/** Of a document, of a value that stands elsewhere, or of pieces that may. */
function hashesIn(value: unknown): Hash[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value)].flatMap(hashElsewhere);
}
