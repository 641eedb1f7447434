import { buildSegment, type PageText, type SegmentInput } from '../../content-engine/search/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { MAX_SMALL } from '../../platform/api/too-large-here.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { StorablePage, StoredSection } from './storable-pages.ts';
import {
  insertPages,
  insertSegment,
  takeBlocks,
  type PageRow,
  type SectionRow,
  type SegmentRow,
} from './store.ts';

export interface WholePage extends StorablePage {
  readonly sections: readonly StoredSection[];
}

/** The indexed text of a page. A section in several pieces has its heading once. */
const textOf = ({ title, label, description, sections }: Omit<WholePage, 'id' | 'path'>): PageText => ({
  title,
  label,
  description,
  sections: sections.map((section, index) => ({
    title: index > 0 && sections[index - 1]?.id === section.id ? '' : section.title,
    text: section.text,
  })),
});

export interface Appended {
  /** The segments of the space from now on. */
  readonly segments: readonly SegmentRow[];
  /** Whether some of them are still to be merged: that is too much for the front. */
  readonly isMergeDue: boolean;
}

export async function append(
  ctx: Pick<Context, 'db' | 'isFront'>,
  spaceId: string,
  segments: readonly SegmentRow[],
  pages: readonly WholePage[],
): Promise<Appended> {
  const first = segments.at(-1)?.next_page ?? 1;
  const fresh = {
    first_page: first,
    next_page: first + pages.length,
    pages: pages.length,
    gone: [],
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
  const due = toMerge([...segments, fresh]).slice(0, -1);
  const isMergeDue = isTooMuchHere(ctx, due);
  const merged = isMergeDue ? [] : due;
  const last = await merge(ctx.db, spaceId, merged, { row: fresh, texts, pages: rows, sections });
  return { segments: [...segments.slice(0, segments.length - merged.length), last], isMergeDue };
}

/** The segments that are to be merged into one, where no page is added. */
export function dueSegments(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  const due = toMerge(segments);
  return due.length > 1 ? due : segments.filter(isSparse).slice(0, 1);
}

/** More than half of its pages are deleted. */
export const isSparse = ({ pages, gone }: SegmentRow): boolean => gone.length > pages / 2;

interface Fresh {
  readonly row: SegmentRow;
  readonly texts: SegmentInput['pages'];
  readonly pages: readonly PageRow[];
  readonly sections: readonly SectionRow[];
}

/** Segments are merged in a tenth of the time that parsing their characters takes. */
const COST_OF_MERGING = 0.1;

/** Whether a merge would delay other requests. A later one is as good: requests are not forwarded for it. */
export const isTooMuchHere = (
  { isFront }: Pick<Context, 'isFront'>,
  segments: readonly SegmentRow[],
): boolean => isFront && COST_OF_MERGING * segments.reduce((sum, { size }) => sum + size, 0) > MAX_SMALL.text;

/** Merges neighbouring segments and new pages behind them into one, without deleted pages. */
export async function merge(
  db: Database,
  spaceId: string,
  segments: readonly SegmentRow[],
  fresh?: Fresh,
): Promise<SegmentRow> {
  const gone = segments.flatMap((segment) => segment.gone);
  const taken = segments.length > 0 ? await takeBlocks(db, spaceId, segments) : [];
  // The database inserts the pages while their segment is built.
  if (fresh) await insertPages(db, spaceId, fresh.pages, fresh.sections);
  const built = buildSegment({ pages: fresh?.texts ?? [], blocks: taken, gone });
  const all = fresh ? [...segments, fresh.row] : segments;
  const row = {
    first_page: all[0]?.first_page ?? 1,
    next_page: all.at(-1)?.next_page ?? 1,
    pages: all.reduce((sum, each) => sum + liveIn(each), 0),
  };
  return insertSegment(db, spaceId, row, built);
}

const liveIn = ({ pages, gone }: SegmentRow): number => pages - gone.length;

/**
 * This many segments of a size are merged into one. Larger ones remain: merging them would cost one edit more than it
 * saves.
 */
const FANOUT = 16;
const SIZES = [1, 16, 64];
/** Characters: bounds what one edit may have to merge by the fanout, however long the pages are. */
const MAX_MERGED = 500_000;

/**
 * Limits the number of segments that a search reads, at the price of rewriting every page a few times. Only segments at
 * the end are merged, so that each remains a range of numbers.
 */
function toMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const most of SIZES) {
    const isLarge = (segment: SegmentRow) => liveIn(segment) > most || segment.size > MAX_MERGED;
    const small = segments.slice(segments.findLastIndex(isLarge) + 1);
    if (small.length >= FANOUT) return small;
  }
  return segments.slice(-1);
}
