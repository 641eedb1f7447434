import { sql, type RawBuilder } from 'kysely';
import { lookupEnd, lookupStart, type Lookup } from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { spaces } from '../spaces/index.ts';

export interface FoundBlock {
  readonly space_id: string;
  readonly first_page: number;
  /** The lookup that it belongs to. */
  readonly lookup: number;
  readonly entries: string;
  /** The numbers of deleted pages, separated by commas. */
  readonly gone: string;
}

/** Blocks that are in memory together. */
export interface Portion {
  readonly blocks: readonly FoundBlock[];
  readonly isOnly: boolean;
}

/** A segment whose blocks are read later. */
interface PostponedSegment {
  readonly space_id: string;
  readonly first_page: number;
  readonly entries: null;
  /** Bytes of its blocks. */
  readonly segment_size: number;
}

/** Blocks of a segment that a prefix may read: one letter begins too many words to be useful. */
const MAX_BLOCKS = 24;

/** Bytes of a portion, unless one segment has more. */
const MAX_PORTION = 8_000_000;

/**
 * The blocks with a word of the lookups, in portions of whole segments: if many pages repeat the words, posting lists may
 * be hundreds of megabytes. An ordinary search has one portion. A segment that is merged in the meantime is missing.
 */
export async function* findBlocks(
  db: Database,
  spaceIds: readonly string[],
  lookups: readonly Lookup[],
  maxPortion = MAX_PORTION,
): AsyncGenerator<Portion, void, void> {
  const all = sql`select * from search_segments where space_id = any(${textArray(spaceIds)}::text[])`;
  const { blocks, postponed } = await readBlocks(db, all, lookups, maxPortion);
  yield { blocks, isOnly: postponed.length === 0 };
  for (const segments of inPortions(postponed, maxPortion)) {
    const some = sql`select s.* from unnest(${segments.map((segment) => segment.space_id)}::text[],
        ${segments.map((segment) => segment.first_page)}::int[]) wanted (space_id, first_page)
      cross join lateral (select * from search_segments s
        where s.space_id = wanted.space_id and s.first_page = wanted.first_page limit 1) s`;
    yield { blocks: (await readBlocks(db, some, lookups, UNLIMITED)).blocks, isOnly: false };
  }
}

/**
 * The subquery hides the length of the array from the planner. For a short array, PostgreSQL would estimate a custom plan
 * below the generic plan, and plan the statement at every execution: a third of its time.
 */
const textArray = (values: readonly string[]) => sql`(select ${[...values]}::text[])`;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

function inPortions(segments: readonly PostponedSegment[], maxPortion: number): PostponedSegment[][] {
  const portions: PostponedSegment[][] = [];
  let size = maxPortion;
  for (const segment of segments) {
    size += segment.segment_size;
    if (size <= maxPortion) portions.at(-1)?.push(segment);
    else {
      portions.push([segment]);
      size = segment.segment_size;
    }
  }
  return portions;
}

/**
 * The block of each segment that contains the word, and following ones with words that begin with it. Segments beyond
 * the limit have one row without entries.
 */
async function readBlocks(
  db: Database,
  segments: RawBuilder<unknown>,
  lookups: readonly Lookup[],
  maxBytes: number,
): Promise<{ blocks: FoundBlock[]; postponed: PostponedSegment[] }> {
  const { rows } = await sql<FoundBlock | PostponedSegment>`
    select space_id, first_page, lookup, segment_size::int,
      case when size_so_far <= ${maxBytes} then entries end as entries,
      case when size_so_far <= ${maxBytes} then gone end as gone
    from (
      select *, sum(size) over (order by space_id, first_page) as size_so_far,
        sum(size) over (partition by space_id, first_page) as segment_size,
        row_number() over (partition by space_id, first_page) as row_of_segment
      from (
        select s.space_id, s.first_page, l.lookup::int - 1 as lookup, b.entries, g.gone,
          octet_length(b.entries) + octet_length(g.gone) as size
        from (${segments}) s
        cross join lateral (select array_to_string(s.gone, ',') as gone) g
        cross join unnest(${textArray(lookups.map(({ word }) => word))}, ${textArray(lookups.map(lookupStart))},
          ${textArray(lookups.map(lookupEnd))}) with ordinality l (word, start, last, lookup)
        cross join lateral (
          (select entries from (select entries from search_blocks b
            where b.space_id = s.space_id and b.first_page = s.first_page and b.first_word <= l.word
            order by b.first_word desc limit 1) b
            where strpos(chr(10) || entries, chr(10) || l.start) > 0)
          union all
          (select entries from search_blocks b
            where b.space_id = s.space_id and b.first_page = s.first_page and b.first_word > l.word
              and b.first_word < l.last
            order by b.first_word limit ${MAX_BLOCKS})
        ) b
      ) found
    ) sized
    where size_so_far <= ${maxBytes} or row_of_segment = 1
    order by space_id, first_page`.execute(db);
  const blocks: FoundBlock[] = [];
  const postponed: PostponedSegment[] = [];
  for (const row of rows)
    if (row.entries === null) postponed.push(row);
    else blocks.push(row);
  return { blocks, postponed };
}

/** The ids of pages by their numbers. Pages that were replaced in the meantime are missing. */
export async function pageIdsOf(
  db: Database,
  pages: readonly { readonly spaceId: string; readonly page: number }[],
): Promise<{ readonly space_id: string; readonly number: number; readonly page_id: string }[]> {
  const { rows } = await sql<{ space_id: string; number: number; page_id: string }>`
    select p.space_id, p.number, p.page_id
    from unnest(${pages.map(({ spaceId }) => spaceId)}::text[], ${pages.map(({ page }) => page)}::int[])
      wanted (space_id, number)
    cross join lateral (select * from search_pages p
      where p.space_id = wanted.space_id and p.number = wanted.number limit 1) p`.execute(db);
  return rows;
}

/** A page with one of its sections, or alone. */
export interface ShownRow {
  readonly space_id: string;
  readonly number: number;
  readonly page_id: string;
  readonly title: string;
  readonly label: string;
  readonly description: string;
  readonly path: string;
  readonly anchor: string | null;
  readonly section_title: string | null;
  readonly body: string | null;
}

export interface Wanted {
  readonly spaceId: string;
  readonly page: number;
  /** The ordinals of sections. */
  readonly sections: readonly number[];
}

/** Reads the shown pages in the order of the request, with a row for each section. Laterals, so that no plan reads a whole table. */
export async function getShown(db: Database, wanted: readonly Wanted[]): Promise<ShownRow[]> {
  const flat = wanted.flatMap(({ spaceId, page, sections }) =>
    (sections.length > 0 ? sections : [0]).map((section) => ({ spaceId, page, section })),
  );
  const { rows } = await sql<ShownRow>`
    select p.space_id, p.number, p.page_id, p.title, p.label, p.description, p.path, s.anchor, s.title as section_title, s.body
    from unnest(${flat.map(({ spaceId }) => spaceId)}::text[], ${flat.map(({ page }) => page)}::int[],
      ${flat.map(({ section }) => section)}::int[]) with ordinality wanted (space_id, number, section, place)
    cross join lateral (select * from search_pages p
      where p.space_id = wanted.space_id and p.number = wanted.number limit 1) p
    left join lateral (select * from search_sections s
      where s.space_id = wanted.space_id and s.page = wanted.number and s.ordinal = wanted.section limit 1) s on true
    order by wanted.place`.execute(db);
  return rows;
}

/** Beyond this, in a large organization, typos are corrected by the largest segments, which have most words. */
const MAX_WORD_LISTS = 200;
const MAX_WORDS_LENGTH = 16_000_000;

/** All words of the spaces, separated by spaces. */
export async function listWords(db: Database, spaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`
    select words from (
      select words, sum(size) over (order by pages desc, space_id, first_page) - size as before
      from search_segments where space_id = any(${[...spaceIds]})
      order by pages desc, space_id, first_page limit ${MAX_WORD_LISTS}
    ) lists where before < ${MAX_WORDS_LENGTH}`.execute(db);
  return rows.map(({ words }) => words);
}

/** The spaces of an organization whose content the caller may read. */
export const listReadable = (db: Database, callerId: string, organizationId: string) =>
  visibleRows(db, spaces, callerId)
    .select(['space_id', 'title'])
    .where('organization_id', '=', organizationId)
    .execute();
