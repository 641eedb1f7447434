import { buildSegment } from '../../content-engine/search/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import { inGroups, sectionsOf } from './index-pages.ts';
import { textOf } from './write-segment.ts';
import { findOutdatedSegment, insertSegment, listNumbered, takeBlocks, updateLabels } from './store.ts';

/**
 * Rewrites one segment of an older form, in a transaction that holds the lock of the space. Pages keep their numbers,
 * so that cursors of lists remain valid. False: there is none.
 */
export async function reindexSegment(
  db: Database,
  spaceId: string,
  labelOf: (pageId: string) => string | undefined,
): Promise<boolean> {
  const outdated = await findOutdatedSegment(db, spaceId);
  if (!outdated) return false;
  const pages = (await listNumbered(db, spaceId, outdated)).map((page) => ({
    ...page,
    label: labelOf(page.page_id) ?? '',
  }));
  await takeBlocks(db, spaceId, [outdated]);
  const groups: (typeof pages)[] = [];
  for await (const group of inGroups(pages, ({ bytes }) => bytes)) groups.push(group);
  // A segment without pages remains as a range of numbers: numbers are not reused.
  if (groups.length === 0) groups.push([]);
  let first = outdated.first_page;
  for (const [index, group] of groups.entries()) {
    const last = group.at(-1)?.number ?? first;
    const next = index === groups.length - 1 ? outdated.next_page : last + 1;
    const numbers = group.map(({ number }) => number);
    const sections = await sectionsOf(db, spaceId, numbers);
    const texts = group.map((page) => ({
      number: page.number,
      text: textOf({ ...page, sections: sections.get(page.number) ?? [] }),
    }));
    const built = await inSlices(buildSegment({ pages: texts }));
    const row = { first_page: first, next_page: next, pages: group.length };
    await insertSegment(db, spaceId, row, built);
    first = next;
  }
  const labelled = pages.filter(({ label }) => label !== '');
  if (labelled.length > 0) await updateLabels(db, spaceId, labelled);
  return true;
}
