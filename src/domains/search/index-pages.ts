import {
  buildSegment,
  CURRENT_FORM,
  sizeOf,
  type BuiltSegment,
  type SegmentInput,
} from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { flatMapInSlices, inSlices, pauseBetweenSlices } from '../../platform/threads/slices.ts';
import {
  storablePage,
  storableSections,
  type IndexedPage,
  type StorablePage,
  type StoredSection,
} from './storable-pages.ts';
import { deletePages, listPages, listSections, updatePaths, type SegmentRow } from './store.ts';
import { append, merge, type Target, type WholePage } from './write-segment.ts';

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
  const pages = await flatMapInSlices(changes.changed, storablePage);
  const { whole, moved } = await completed(db, spaceId, pages);
  if (moved.length > 0) await updatePaths(db, spaceId, moved);
  const replaced = [...whole.map(({ page }) => page.id), ...changes.removed];
  if (replaced.length === 0) return;
  let segments: readonly SegmentRow[] = await deletePages(db, spaceId, replaced);
  // Group by group, so that only the sections of one are in memory.
  for await (const group of inGroups(withSections(whole), lengthOf))
    segments = await append(target, segments, await inSlices(storable(group)));
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
export async function* inGroups<T>(
  pages: Iterable<T>,
  sizeOf: (page: T) => number,
): AsyncGenerator<T[], void, void> {
  const pause = pauseBetweenSlices();
  let [group, size]: [T[], number] = [[], 0];
  for (const page of pages) {
    const added = sizeOf(page);
    if (group.length > 0 && (size + added > MAX_BYTES || group.length >= MAX_PAGES)) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(page);
    size += added;
    await pause();
  }
  if (group.length > 0) yield group;
}

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
