import { sql } from 'kysely';
import type { Block, BuiltSegment } from '../../content-engine/search/index.ts';
import { longTexts } from '../../platform/database/arrays.ts';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { sendAhead } from '../../platform/database/send-ahead.ts';

export interface SegmentRow {
  readonly first_page: number;
  readonly next_page: number;
  /** Number of pages when it was written. */
  readonly pages: number;
  /** The numbers of deleted pages. */
  readonly gone: readonly number[];
  /** Characters of its words and blocks. */
  readonly size: number;
}

export interface PageRow {
  readonly number: number;
  readonly page_id: string;
  readonly title: string;
  readonly label: string;
  readonly description: string;
  readonly path: string;
}

export interface SectionRow {
  readonly page: number;
  readonly ordinal: number;
  readonly anchor: string | null;
  readonly title: string;
  readonly body: string;
}

export async function listPages(
  db: Database,
  spaceId: string,
  pageIds: readonly string[],
): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select number, page_id, title, label, description, path from search_pages
    where space_id = ${spaceId} and page_id = any(${[...pageIds]})`.execute(db);
  return rows;
}

export async function listSections(
  db: Database,
  spaceId: string,
  pages: readonly number[],
): Promise<SectionRow[]> {
  const { rows } = await sql<SectionRow>`
    select page, ordinal, anchor, title, body from search_sections
    where space_id = ${spaceId} and page = any(${[...pages]}) order by page, ordinal`.execute(db);
  return rows;
}

export async function updatePaths(
  db: Database,
  spaceId: string,
  pages: readonly { readonly id: string; readonly path: string }[],
): Promise<void> {
  await sql`${PIPELINED}
    update search_pages p set path = moved.path
    from unnest(${pages.map(({ id }) => id)}::text[], ${pages.map(({ path }) => path)}::text[]) moved (id, path)
    where p.space_id = ${spaceId} and p.page_id = moved.id`.execute(db);
}

/** Marks pages as deleted; their words remain until the segment is merged. Returns all segments, in order. */
export async function deletePages(
  db: Database,
  spaceId: string,
  pageIds: readonly string[],
): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`
    with deleted as (
      -- One lookup per page: the planner does not know the size of a single space, and may read all of its pages. Only the
      -- index on ids has this order; that on numbers would read the whole space for each page.
      delete from search_pages where ctid = any(array(
        select (
          select p.ctid from (
            select ctid, space_id, page_id from search_pages
            where (space_id, page_id) >= (${spaceId}, asked.id) order by space_id, page_id limit 1) p
          where p.space_id = ${spaceId} and p.page_id = asked.id)
        from unnest(${[...pageIds]}::text[]) asked (id))) returning number
    ), gone as (
      select (select max(s.first_page) from search_segments s
        where s.space_id = ${spaceId} and s.first_page <= deleted.number) as first_page, array_agg(number) as numbers
      from deleted group by 1
    ), marked as (
      update search_segments s set gone = s.gone || gone.numbers
      from gone where s.space_id = ${spaceId} and s.first_page = gone.first_page
    )
    select s.first_page, s.next_page, s.pages, s.gone || coalesce(gone.numbers, '{}') as gone, s.size
    from search_segments s left join gone using (first_page)
    where s.space_id = ${spaceId} order by first_page`.execute(db);
  return rows;
}

/** In the order of their pages. */
export async function listSegments(db: Database, spaceId: string): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`
    select first_page, next_page, pages, gone, size from search_segments
    where space_id = ${spaceId} order by first_page`.execute(db);
  return rows;
}

/** Deletes segments, and returns their blocks. */
export async function takeBlocks(
  db: Database,
  spaceId: string,
  segments: readonly Pick<SegmentRow, 'first_page'>[],
): Promise<string[]> {
  const firstPages = segments.map((segment) => segment.first_page);
  const { rows } = await sql<{ entries: string }>`
    with segments as (
      delete from search_segments where space_id = ${spaceId} and first_page = any(${firstPages})
    )
    delete from search_blocks where space_id = ${spaceId} and first_page = any(${firstPages})
    returning entries`.execute(db);
  return rows.map(({ entries }) => entries);
}

/** Characters in one statement, of which the driver makes a copy. */
const MAX_STATEMENT = 1_000_000;

/** The rows of new pages. */
export async function insertPages(
  db: Database,
  spaceId: string,
  pages: readonly PageRow[],
  sections: readonly SectionRow[],
): Promise<void> {
  const [first = [], ...more] = inStatements(sections, lengthOfSection);
  await sql`${PIPELINED}
    with pages as (
      insert into search_pages (space_id, page_id, number, title, label, description, path)
      select ${spaceId}, * from unnest(${pages.map((page) => page.page_id)}::text[],
        ${pages.map((page) => page.number)}::int[], ${pages.map((page) => page.title)}::text[],
        ${pages.map((page) => page.label)}::text[], ${pages.map((page) => page.description)}::text[],
        ${pages.map((page) => page.path)}::text[])
    )
    ${insertSections(spaceId, first)}`.execute(db);
  await sendAhead(more.map((some) => () => insertSections(spaceId, some).execute(db)));
}

/** A segment of pages that are inserted by themselves. */
export async function insertSegment(
  db: Database,
  spaceId: string,
  range: Pick<SegmentRow, 'first_page' | 'next_page' | 'pages'>,
  { words, blocks }: BuiltSegment,
): Promise<SegmentRow> {
  const size = words.length + sum(blocks, lengthOfBlock);
  const row = { ...range, gone: [], size };
  const [first = [], ...more] = inStatements(blocks, lengthOfBlock, words.length);
  await sql`${PIPELINED}
    with segment as (
      insert into search_segments (space_id, first_page, next_page, pages, words, size)
      values (${spaceId}, ${row.first_page}, ${row.next_page}, ${row.pages}, ${words}, ${size})
    )
    ${insertBlocks(spaceId, row.first_page, first)}`.execute(db);
  await sendAhead(more.map((some) => () => insertBlocks(spaceId, row.first_page, some).execute(db)));
  return row;
}

const lengthOfSection = ({ body }: SectionRow): number => body.length;
const lengthOfBlock = ({ entries }: Block): number => entries.length;

const sum = <T>(rows: readonly T[], lengthOf: (row: T) => number): number =>
  rows.reduce((length, row) => length + lengthOf(row), 0);

/** Divides rows among statements; the first, which has `used` characters already, may get none. */
function inStatements<T>(rows: readonly T[], lengthOf: (row: T) => number, used = 0): T[][] {
  const statements: T[][] = [[]];
  let length = used;
  for (const row of rows) {
    length += lengthOf(row);
    if (length <= MAX_STATEMENT) statements.at(-1)?.push(row);
    else {
      statements.push([row]);
      length = lengthOf(row);
    }
  }
  return statements;
}

const insertSections = (spaceId: string, sections: readonly SectionRow[]) => sql`
  insert into search_sections (space_id, page, ordinal, anchor, title, body)
  select ${spaceId}, * from unnest(${sections.map(({ page }) => page)}::int[],
    ${sections.map(({ ordinal }) => ordinal)}::int[], ${sections.map(({ anchor }) => anchor)}::text[],
    ${longTexts(sections.map(({ title }) => title))}::text[], ${longTexts(sections.map(({ body }) => body))}::text[])`;

const insertBlocks = (spaceId: string, firstPage: number, blocks: readonly Block[]) => sql`
  insert into search_blocks (space_id, first_page, first_word, entries)
  select ${spaceId}, ${firstPage}, * from unnest(${blocks.map(({ first }) => first)}::text[],
    ${longTexts(blocks.map(({ entries }) => entries))}::text[])`;

export async function copySearchIndex(db: Database, fromSpaceId: string, toSpaceId: string): Promise<void> {
  await sql`
    with pages as (
      insert into search_pages (space_id, page_id, number, title, label, description, path)
      select ${toSpaceId}, page_id, number, title, label, description, path
      from search_pages where space_id = ${fromSpaceId}
    ), sections as (
      insert into search_sections (space_id, page, ordinal, anchor, title, body)
      select ${toSpaceId}, page, ordinal, anchor, title, body
      from search_sections where space_id = ${fromSpaceId}
    ), segments as (
      insert into search_segments (space_id, first_page, next_page, pages, gone, words, size)
      select ${toSpaceId}, first_page, next_page, pages, gone, words, size
      from search_segments where space_id = ${fromSpaceId}
    )
    insert into search_blocks (space_id, first_page, first_word, entries)
    select ${toSpaceId}, first_page, first_word, entries
    from search_blocks where space_id = ${fromSpaceId}`.execute(db);
}
