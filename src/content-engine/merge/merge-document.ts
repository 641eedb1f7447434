import type { Hash } from '../map/index.ts';
import { hrefsOf } from '../markdown/index.ts';
import { type ContentRecord, type ContentRef, type Inline, type LinkTable } from '../tree/index.ts';
import { mergeBodies } from './body/merge-body.ts';
import type { Merging } from './merge-fields.ts';
import { hashElsewhere, type Texts } from './texts.ts';
import { agreed, isEqual, mapThree, type Three } from './three.ts';
import { meaningOf, toldApart } from './told-apart.ts';

/** A body, and where its links lead. */
export interface WithContent {
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
}

/** The body block by block, and of the links those that it has. */
export function mergeContentOf(
  values: Three<WithContent | undefined>,
  { entry, texts, isThere, budget, report }: Merging,
): WithContent {
  const written = mapThree(values, (each) => ({
    text: each === undefined ? '' : texts.get(each.document),
    links: each?.links === undefined ? {} : texts.value<LinkTable>(each.links),
  }));
  const { bodies, tables } = toldApart(written, isThere);
  const merged = mergeBodies(bodies, budget);
  for (const conflict of merged.conflicts) report({ kind: 'block', entry, ...conflict });
  const links = mergeLinks(tables, new Set(hrefsOf(merged.text).map(({ href }) => href)));
  return { document: texts.add(merged.text), ...kept(links, texts) };
}

const kept = (links: LinkTable, texts: Texts): Pick<WithContent, 'links'> =>
  Object.keys(links).length === 0 ? {} : { links: texts.inline(links) };

/** Of the links those that a body has. */
export function linksIn(
  body: string,
  links: Inline<LinkTable> | undefined,
  texts: Texts,
): Pick<WithContent, 'links'> {
  if (links === undefined) return {};
  const hrefs = new Set(hrefsOf(body).map(({ href }) => href));
  return kept(
    Object.fromEntries(Object.entries(texts.value<LinkTable>(links)).filter(([href]) => hrefs.has(href))),
    texts,
  );
}

/** What an href meant where it was written. Where it meant two things, one of them is gone. */
function mergeLinks(tables: Three<LinkTable>, hrefs: ReadonlySet<string>): LinkTable {
  const entries = [...hrefs].flatMap((href): [string, ContentRef][] => {
    const { ancestor, primary, proposed } = mapThree(tables, (table) => meaningOf(table, href));
    const isOld = proposed === undefined || (primary !== undefined && isEqual(proposed, ancestor));
    const ref = isOld ? primary : proposed;
    return ref === undefined ? [] : [[href, ref]];
  });
  return Object.fromEntries(entries);
}

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
