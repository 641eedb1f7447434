import {
  CURRENT_FORM,
  type BuiltSegment,
  type PageText,
  type SegmentInput,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { StorablePage, StoredSection } from './storable-pages.ts';
import {
  insertPages,
  insertSegment,
  lengthOfSections,
  takeBlocks,
  type PageRow,
  type SectionRow,
  type SegmentRow,
} from './store.ts';

/** Where the index of a space is written. */
export interface Target {
  readonly db: Database;
  readonly spaceId: string;
  readonly build: (input: SegmentInput) => Promise<BuiltSegment>;
}

export interface WholePage extends StorablePage {
  readonly sections: readonly StoredSection[];
}

/** The indexed text of a page. A section in several pieces has its heading once. */
export const textOf = ({
  title,
  label,
  description,
  sections,
}: Omit<WholePage, 'id' | 'path'>): PageText => ({
  title,
  label,
  description,
  sections: sections.map((section, index) => ({
    title: index > 0 && sections[index - 1]?.id === section.id ? '' : section.title,
    text: section.text,
  })),
});

/** Returns the resulting segments. */
export async function append(
  target: Target,
  segments: readonly SegmentRow[],
  pages: readonly WholePage[],
): Promise<readonly SegmentRow[]> {
  const first = segments.at(-1)?.next_page ?? 1;
  const fresh = {
    first_page: first,
    next_page: first + pages.length,
    pages: pages.length,
    gone: [],
    form: CURRENT_FORM,
    size: 0,
  };
  const numbered = pages.map((page, index) => ({ number: first + index, page, text: textOf(page) }));
  const rows = numbered.map(({ number, page: { id, title, label, description, path } }) => ({
    number,
    page_id: id,
    title,
    label,
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
  const texts = numbered.map(({ number, text }) => ({ number, text }));
  const merged = toMerge([...segments, fresh]).slice(0, -1);
  const last = await merge(target, merged, { row: fresh, texts, pages: rows, sections });
  return [...segments.slice(0, segments.length - merged.length), last];
}

interface Fresh {
  readonly row: SegmentRow;
  readonly texts: SegmentInput['pages'];
  readonly pages: readonly PageRow[];
  readonly sections: readonly SectionRow[];
}

/** Characters of sections that are inserted by a statement that is not waited for. */
const SHORT = 200_000;

/** Merges neighbouring segments and new pages behind them into one, without deleted pages. */
export async function merge(
  { db, spaceId, build }: Target,
  segments: readonly SegmentRow[],
  fresh?: Fresh,
): Promise<SegmentRow> {
  const gone = segments.flatMap((segment) => segment.gone);
  const taken = segments.length > 0 ? await takeBlocks(db, spaceId, segments) : [];
  // The database inserts short pages while their segment is built here, and others while a thread builds it.
  const areShort = fresh !== undefined && lengthOfSections(fresh.sections) <= SHORT;
  if (areShort) await insertPages(db, spaceId, fresh.pages, fresh.sections);
  const building = build({ pages: fresh?.texts ?? [], blocks: taken, gone });
  // It may fail while the pages are inserted; its own await throws the error.
  building.catch(() => undefined);
  if (fresh && !areShort) await insertPages(db, spaceId, fresh.pages, fresh.sections);
  const all = fresh ? [...segments, fresh.row] : segments;
  const row = {
    first_page: all[0]?.first_page ?? 1,
    next_page: all.at(-1)?.next_page ?? 1,
    pages: all.reduce((sum, each) => sum + liveIn(each), 0),
  };
  return insertSegment(db, spaceId, row, await building);
}

const liveIn = ({ pages, gone }: SegmentRow): number => pages - gone.length;

/**
 * This many segments of a size are merged into one. Larger ones remain: merging them would cost one edit more than it
 * saves.
 */
const FANOUT = 16;
const SIZES = [1, 16, 64];
/** In characters: bounds what one edit may have to merge by the fanout, however long the pages are. */
const MAX_MERGED = 500_000;

/**
 * Limits the number of segments that a search reads, at the price of rewriting every page a few times. Only segments at
 * the end are merged, so that each remains a range of numbers, and none of an older form, which is rewritten first.
 */
function toMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const most of SIZES) {
    const isLarge = (segment: SegmentRow) =>
      liveIn(segment) > most || segment.size > MAX_MERGED || segment.form !== CURRENT_FORM;
    const small = segments.slice(segments.findLastIndex(isLarge) + 1);
    if (small.length >= FANOUT) return small;
  }
  return segments.slice(-1);
}
