import { sql } from 'kysely';
import { lookupEnd, type Form, type Lookup } from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { spaces } from '../spaces/index.ts';

export interface FoundBlock {
  readonly space_id: string;
  readonly first_page: number;
  /** The lookup that it belongs to. */
  readonly lookup: number;
  readonly form: Form;
  readonly entries: string;
  /** The numbers of deleted pages, separated by commas. */
  readonly gone: string;
}

/** Blocks of a segment that a prefix may read: one letter begins too many words to be useful. */
const MAX_BLOCKS = 24;

/**
 * The block of each segment that would contain the word, and following ones with words that begin with it. Few
 * segments have a page with a given title, so a block is returned for a title only if it contains it.
 */
export async function findBlocks(
  db: Database,
  spaceIds: readonly string[],
  lookups: readonly Lookup[],
): Promise<FoundBlock[]> {
  const { rows } = await sql<FoundBlock>`
    select s.space_id, s.first_page, s.form, l.lookup::int - 1 as lookup, b.entries,
      array_to_string(s.gone, ',') as gone
    from search_segments s
    cross join unnest(${lookups.map(({ word }) => word)}::text[], ${lookups.map(lookupEnd)}::text[])
      with ordinality l (word, last, lookup)
    cross join lateral (
      (select entries from search_blocks b
        where b.space_id = s.space_id and b.first_page = s.first_page and b.first_word <= l.word
        order by b.first_word desc limit 1)
      union all
      (select entries from search_blocks b
        where b.space_id = s.space_id and b.first_page = s.first_page and b.first_word > l.word
          and b.first_word < l.last
        order by b.first_word limit ${MAX_BLOCKS})
    ) b
    where s.space_id = any(${[...spaceIds]}) and (l.last <> l.word or position(l.word || ' ' in b.entries) > 0)`.execute(
    db,
  );
  return rows;
}

/** A page with one of its sections, or alone. */
export interface ShownRow {
  readonly space_id: string;
  readonly number: number;
  readonly page_id: string;
  readonly title: string;
  readonly label: string;
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

/** In the order of the request, with a row for each section. Laterals, so that no plan reads a whole table. */
export async function getShown(db: Database, wanted: readonly Wanted[]): Promise<ShownRow[]> {
  const flat = wanted.flatMap(({ spaceId, page, sections }) =>
    (sections.length > 0 ? sections : [0]).map((section) => ({ spaceId, page, section })),
  );
  const { rows } = await sql<ShownRow>`
    select p.space_id, p.number, p.page_id, p.title, p.label, p.path, s.anchor, s.title as section_title, s.body
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
