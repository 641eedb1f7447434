import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import {
  storablePage,
  storableSections,
  type IndexedPage,
  type StorablePage,
  type StoredSection,
} from './storable-pages.ts';
import { deletePages, listPages, listSections, updatePaths, type SegmentRow } from './store.ts';
import { mergeSegments } from './jobs.ts';
import { append, isSparse, isTooMuchHere, merge, type WholePage } from './write-segment.ts';

/** A page whose sections are to be read, or stored already. */
interface FoundPage {
  readonly page: StorablePage;
  readonly stored: readonly StoredSection[] | undefined;
}

/** More pages, or more text, are divided into several segments: one is in memory while it is written. */
const MAX_PAGES = 1000;
const MAX_BYTES = 4_000_000;

/**
 * Updates the index of a space for what changed, in the transaction that publishes it and holds the lock of the space:
 * numbers are sequential, and a merge rewrites segments that others would write to.
 */
export async function indexPages(
  ctx: Pick<Context, 'db' | 'isFront'>,
  spaceId: string,
  changes: { readonly changed: readonly IndexedPage[]; readonly removed: readonly string[] },
): Promise<void> {
  const { db } = ctx;
  const { whole, moved } = await completed(db, spaceId, changes.changed.map(storablePage));
  if (moved.length > 0) await updatePaths(db, spaceId, moved);
  const replaced = [...whole.map(({ page }) => page.id), ...changes.removed];
  if (replaced.length === 0) return;
  let segments: readonly SegmentRow[] = await deletePages(db, spaceId, replaced);
  // Group by group, so that only the sections of one are in memory.
  let isMergeDue = false;
  for (const group of inGroups(withSections(whole), lengthOf)) {
    const appended = await append(ctx, spaceId, segments, group);
    segments = appended.segments;
    isMergeDue ||= appended.isMergeDue;
  }
  const sparse = segments.find(isSparse);
  if (sparse && isTooMuchHere(ctx, [sparse])) isMergeDue = true;
  else if (sparse) await merge(db, spaceId, [sparse]);
  if (isMergeDue) await enqueue(db, mergeSegments, { spaceId }, { key: `search.merge ${spaceId}` });
}

function* withSections(pages: readonly FoundPage[]): Iterable<WholePage> {
  for (const { page, stored } of pages)
    yield { ...page, sections: stored ?? storableSections(page.readSections?.() ?? []) };
}

const lengthOf = ({ sections }: WholePage): number =>
  sections.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Groups neighbouring pages up to the limit of one segment. */
function* inGroups<T>(pages: Iterable<T>, sizeOf: (page: T) => number): Iterable<T[]> {
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
async function sectionsOf(
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
