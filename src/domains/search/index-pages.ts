import {
  composed,
  mergeInto,
  piecesOf,
  segmentOf,
  type PageText,
  type Segment,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import {
  deletePages,
  insertSegment,
  listPages,
  listSections,
  takeBlocks,
  updatePaths,
  type PageRow,
  type SectionRow,
  type SegmentRow,
} from './store.ts';

export interface IndexedPage {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly path: string;
  /** Undefined: the text did not change, only title, description or path. */
  readonly sections?: readonly IndexedSection[];
}

export interface IndexedSection {
  /** The anchor of its heading; undefined at the beginning of a page. */
  readonly id: string | undefined;
  readonly title: string;
  readonly level: number;
  readonly text: string;
}

type StoredSection = Omit<IndexedSection, 'level'>;

interface WholePage extends Omit<IndexedPage, 'sections'> {
  readonly description: string;
  readonly sections: readonly StoredSection[];
}

/** A longer list of pages becomes several segments. */
const MOST_PAGES = 1000;

/**
 * Makes search find a space as it is now, given what changed: part of the transaction that publishes it, which holds the
 * lock of the space. Numbers follow one another, and merging moves what others would write to.
 */
export async function indexPages(
  db: Database,
  spaceId: string,
  changes: { readonly changed: readonly IndexedPage[]; readonly removed: readonly string[] },
): Promise<void> {
  const { whole, moved } = await completed(db, spaceId, changes.changed.map(storable));
  if (moved.length > 0) await updatePaths(db, spaceId, moved);
  const replaced = [...whole.map(({ id }) => id), ...changes.removed];
  if (replaced.length === 0) return;
  let segments: readonly SegmentRow[] = await deletePages(db, spaceId, replaced);
  for (let at = 0; at < whole.length; at += MOST_PAGES) {
    segments = await append(db, spaceId, segments, whole.slice(at, at + MOST_PAGES));
  }
  const sparse = segments.find(({ pages, gone }) => gone.length > pages / 2);
  if (sparse) await merge(db, spaceId, [sparse]);
}

/**
 * Only what the database can hold, and composed: what is found in it is then found in what is shown of it. A long section
 * becomes several, with the same heading.
 */
const storable = (page: IndexedPage): IndexedPage => ({
  id: page.id,
  title: composed(page.title),
  description: composed(page.description ?? ''),
  path: composed(page.path),
  ...(page.sections
    ? {
        sections: page.sections.flatMap(({ id, title, level, text }) =>
          piecesOf(composed(text)).map((piece) => ({ id, title: composed(title), level, text: piece })),
        ),
      }
    : {}),
});

/** What is read of a page. The heading of a section that is in pieces stands there once. */
const textOf = ({ title, description, sections }: WholePage): PageText => ({
  title,
  description,
  sections: sections.map((section, index) => ({
    title: index > 0 && sections[index - 1]?.id === section.id ? '' : section.title,
    text: section.text,
  })),
});

/** Pages whose text did not change get it from the index; where the title did not either, nothing but the path moved. */
async function completed(db: Database, spaceId: string, pages: readonly IndexedPage[]) {
  const partial = pages.filter(({ sections }) => !sections).map(({ id }) => id);
  const rows = partial.length > 0 ? await listPages(db, spaceId, partial) : [];
  const known = new Map(rows.map((row) => [row.page_id, row]));
  const rowOf = (page: IndexedPage) => (page.sections ? undefined : known.get(page.id));
  const isMoved = (page: IndexedPage) => {
    const row = rowOf(page);
    return row !== undefined && row.title === page.title && row.description === page.description;
  };
  const moved = pages.filter(isMoved);
  const changed = pages.filter((page) => !isMoved(page));
  const numbers = changed.flatMap((page) => rowOf(page)?.number ?? []);
  const sections = numbers.length > 0 ? await listSections(db, spaceId, numbers) : [];
  const whole = changed.map((page): WholePage => {
    const number = rowOf(page)?.number;
    return {
      ...page,
      description: page.description ?? '',
      sections: page.sections ?? sections.filter((section) => section.page === number).map(fromRow),
    };
  });
  return { whole, moved };
}

const fromRow = ({ anchor, title, body }: SectionRow): StoredSection => ({
  id: anchor ?? undefined,
  title,
  text: body,
});

/** The segments that there are then. */
async function append(
  db: Database,
  spaceId: string,
  segments: readonly SegmentRow[],
  pages: readonly WholePage[],
): Promise<readonly SegmentRow[]> {
  const first = segments.at(-1)?.next_page ?? 1;
  const fresh = { first_page: first, next_page: first + pages.length, pages: pages.length, gone: [] };
  const numbered = pages.map((page, index) => ({ number: first + index, page, text: textOf(page) }));
  const rows = numbered.map(({ number, page: { id, title, description, path } }) => ({
    number,
    page_id: id,
    title,
    description,
    path,
  }));
  const sections = numbered.flatMap(({ number, page }) =>
    page.sections.map(({ id, title, text }, index) => ({
      page: number,
      ordinal: index + 1,
      anchor: id ?? null,
      title,
      body: text,
    })),
  );
  const merged = toMerge([...segments, fresh]).slice(0, -1);
  const last = await merge(db, spaceId, merged, {
    row: fresh,
    segment: segmentOf(numbered),
    pages: rows,
    sections,
  });
  return [...segments.slice(0, segments.length - merged.length), last];
}

interface Fresh {
  readonly row: SegmentRow;
  readonly segment: Segment;
  readonly pages: readonly PageRow[];
  readonly sections: readonly SectionRow[];
}

/** One segment instead of neighbouring ones and what is new behind them, without the pages that are gone. */
async function merge(
  db: Database,
  spaceId: string,
  segments: readonly SegmentRow[],
  fresh?: Fresh,
): Promise<SegmentRow> {
  const gone = new Set(segments.flatMap((segment) => segment.gone));
  const segment: Segment = fresh?.segment ?? new Map();
  const blocks = segments.length > 0 ? await takeBlocks(db, spaceId, segments) : [];
  for (const block of blocks) mergeInto(segment, block, gone);
  const all = fresh ? [...segments, fresh.row] : segments;
  const row = {
    first_page: all[0]?.first_page ?? 1,
    next_page: all.at(-1)?.next_page ?? 1,
    pages: all.reduce((sum, each) => sum + liveIn(each), 0),
    gone: [],
  };
  await insertSegment(db, spaceId, row, segment, fresh?.pages ?? [], fresh?.sections ?? []);
  return row;
}

const liveIn = ({ pages, gone }: SegmentRow): number => pages - gone.length;

/** So many segments of a size become one. Larger ones stay: merging them would cost one edit more than it saves. */
const FANOUT = 16;
const SIZES = [1, 16, 64];

/**
 * Keeps the number of segments that a search reads small, at the price of writing every page again a few times. Those at
 * the end only, so that a segment remains a range of numbers.
 */
export function toMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const size of SIZES) {
    const small = segments.slice(segments.findLastIndex((segment) => liveIn(segment) > size) + 1);
    if (small.length >= FANOUT) return small;
  }
  return segments.slice(-1);
}
