import {
  buildSegment,
  CURRENT_FORM,
  sizeOf,
  type BuiltSegment,
  type PageText,
  type SegmentInput,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import {
  storablePage,
  storableSections,
  type IndexedPage,
  type StorablePage,
  type StoredSection,
} from './storable-pages.ts';
import {
  deletePages,
  insertPages,
  insertSegment,
  listPages,
  listSections,
  takeBlocks,
  updatePaths,
  type PageRow,
  type SectionRow,
  type SegmentRow,
} from './store.ts';

interface WholePage extends StorablePage {
  readonly sections: readonly StoredSection[];
}

/** A page whose sections are to be read, or stored already. */
interface FoundPage {
  readonly page: StorablePage;
  readonly stored: readonly StoredSection[] | undefined;
}

/** More pages, or more text, are divided into several segments: one is in memory while it is written. */
const MAX_PAGES = 1000;
const MAX_BYTES = 4_000_000;

/** With more pages, the import itself needs the memory that a thread would take. */
const MAX_PAGES_IN_THREAD = 4000;

/** Characters that are indexed here. With more, handing them to a thread is worth it. */
const MAX_HERE = 200_000;

/** Builds a large segment in a thread. Undefined: none is free. */
type BuildInThread = (input: SegmentInput, size: number) => Promise<BuiltSegment> | undefined;

/** Where the index of a space is written. */
interface Target {
  readonly db: Database;
  readonly spaceId: string;
  readonly build: (input: SegmentInput) => Promise<BuiltSegment>;
}

/**
 * Updates the index of a space for what changed, in the transaction that publishes it and holds the lock of the space:
 * numbers are sequential, and a merge rewrites segments that others would write to.
 */
export async function indexPages(
  db: Database,
  spaceId: string,
  changes: { readonly changed: readonly IndexedPage[]; readonly removed: readonly string[] },
  buildInThread?: BuildInThread,
): Promise<void> {
  const build: Target['build'] = (input) => {
    const size = changes.changed.length > MAX_PAGES_IN_THREAD ? 0 : sizeOf(input);
    const inThread = size > MAX_HERE ? buildInThread?.(input, size) : undefined;
    return inThread ?? inSlices(buildSegment(input));
  };
  const target = { db, spaceId, build };
  const { whole, moved } = await completed(db, spaceId, changes.changed.map(storablePage));
  if (moved.length > 0) await updatePaths(db, spaceId, moved);
  const replaced = [...whole.map(({ page }) => page.id), ...changes.removed];
  if (replaced.length === 0) return;
  let segments: readonly SegmentRow[] = await deletePages(db, spaceId, replaced);
  // Group by group, so that only the sections of one are in memory.
  for (const pages of inGroups(withSections(whole), lengthOf))
    segments = await append(target, segments, await inSlices(storable(pages)));
  const sparse = segments.find(({ pages, gone, form }) => form === CURRENT_FORM && gone.length > pages / 2);
  if (sparse) await merge(target, [sparse]);
}

function* withSections(pages: readonly FoundPage[]): Iterable<WholePage & { readonly isStored: boolean }> {
  for (const { page, stored } of pages)
    yield { ...page, sections: stored ?? page.readSections?.() ?? [], isStored: stored !== undefined };
}

const lengthOf = ({ sections }: WholePage): number =>
  sections.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

function* storable(
  pages: readonly (WholePage & { readonly isStored: boolean })[],
): Generator<void, WholePage[], void> {
  const whole: WholePage[] = [];
  for (const page of pages)
    whole.push(page.isStored ? page : { ...page, sections: yield* storableSections(page.sections) });
  return whole;
}

/** Groups neighbouring pages up to the limit of one segment. */
export function* inGroups<T>(pages: Iterable<T>, sizeOf: (page: T) => number): Generator<T[], void, void> {
  let [group, size]: [T[], number] = [[], 0];
  for (const page of pages) {
    const added = sizeOf(page);
    if (group.length > 0 && (size + added > MAX_BYTES || group.length >= MAX_PAGES)) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(page);
    size += added;
  }
  if (group.length > 0) yield group;
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

/**
 * Pages whose text is unchanged take it from the index. Where the title is unchanged as well, only the path is updated.
 */
async function completed(db: Database, spaceId: string, pages: readonly StorablePage[]) {
  const partial = pages.filter(({ readSections }) => !readSections).map(({ id }) => id);
  const rows = partial.length > 0 ? await listPages(db, spaceId, partial) : [];
  const known = new Map(rows.map((row) => [row.page_id, row]));
  const rowOf = (page: StorablePage) => (page.readSections ? undefined : known.get(page.id));
  const isMoved = (page: StorablePage) => {
    const row = rowOf(page);
    return (
      row !== undefined &&
      row.title === page.title &&
      row.label === page.label &&
      row.description === page.description
    );
  };
  const moved = pages.filter(isMoved);
  const changed = pages.filter((page) => !isMoved(page));
  const numbers = changed.flatMap((page) => rowOf(page)?.number ?? []);
  const sections = await sectionsOf(db, spaceId, numbers);
  const whole = changed.map((page): FoundPage => ({
    page,
    stored: page.readSections ? undefined : (sections.get(rowOf(page)?.number ?? 0) ?? []),
  }));
  return { whole, moved };
}

/** The sections of some pages, by their numbers. */
export async function sectionsOf(
  db: Database,
  spaceId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredSection[]>> {
  const byPage = new Map<number, StoredSection[]>(numbers.map((number) => [number, []]));
  const rows = numbers.length > 0 ? await listSections(db, spaceId, numbers) : [];
  for (const { page, anchor, title, body } of rows)
    byPage.get(page)?.push({ id: anchor ?? undefined, title, text: body });
  return byPage;
}

/** Returns the resulting segments. */
async function append(
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

/** Merges neighbouring segments and new pages behind them into one, without deleted pages. */
async function merge(
  { db, spaceId, build }: Target,
  segments: readonly SegmentRow[],
  fresh?: Fresh,
): Promise<SegmentRow> {
  const gone = segments.flatMap((segment) => segment.gone);
  const taken = segments.length > 0 ? await takeBlocks(db, spaceId, segments) : [];
  const building = build({ pages: fresh?.texts ?? [], blocks: taken, gone });
  // It may fail while the pages are inserted; its own await throws the error.
  building.catch(() => undefined);
  if (fresh) await insertPages(db, spaceId, fresh.pages, fresh.sections);
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
export function toMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const most of SIZES) {
    const isLarge = (segment: SegmentRow) =>
      liveIn(segment) > most || segment.size > MAX_MERGED || segment.form !== CURRENT_FORM;
    const small = segments.slice(segments.findLastIndex(isLarge) + 1);
    if (small.length >= FANOUT) return small;
  }
  return segments.slice(-1);
}
