import { addToList } from '../../../content-engine/add-to-list.ts';
import { hasConditions } from '../../../content-engine/evaluation/index.ts';
import { findPage, type DocumentPage } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import type { OpenSpace } from '../../../site/read/pages/open-space.ts';
import { readPage } from '../../../site/read/pages/read-page.ts';
import { readText } from '../../content-store/index.ts';
import { answered, jsonOf } from '../../revisions/index.ts';
import type { SiteVisit } from '../visit.ts';
import { listShown, type ShownRow } from './shown-store.ts';

/** Characters of pages that are evaluated for a visitor, as in a search. The files of further ones are not listed. */
const MAX_EVALUATED = 10_000_000;

/** The ids of those files of a space that a page shows to the visitor: they may have no others. */
export async function shownFiles(
  ctx: Context,
  visit: SiteVisit,
  spaceId: string,
): Promise<ReadonlySet<string>> {
  const key = `visit ${visit.key} files ${spaceId}`;
  const { body } = await answered(ctx.caches.revisionAnswers, key, async () => ({
    json: jsonOf(await listFiles(ctx, visit, spaceId)),
    version: 'files',
  }));
  return new Set(JSON.parse(body.toString('utf8')) as string[]);
}

async function listFiles(ctx: Context, visit: SiteVisit, spaceId: string): Promise<string[]> {
  const { reader, siteSpace } = visit;
  const spaceIds = [...new Set(reader.siteSpaces.map((each) => each.spaceId))];
  const rows = await listShown(ctx.db, spaceIds, spaceId);
  const shown = new Set<string>();
  const room = { characters: MAX_EVALUATED };
  let space: OpenSpace | undefined;
  for (const ofPage of bySource(rows)) {
    const [{ space_id: sourceSpace, source_id: pageId }] = ofPage;
    // Sorted by their spaces: one tree at a time.
    if (space?.siteSpace.spaceId !== sourceSpace) {
      const place = reader.placeOf(sourceSpace, siteSpace);
      space = place && (await reader.open(place));
    }
    const page = space && findPage(space.tree, pageId);
    if (!space || page?.type !== 'document') continue;
    if (!space.pages.isListed(pageId) && !(pageId === visit.pageId && space.pages.mayRead(pageId))) continue;
    for (const id of await filesOfPage(visit, space, page, ofPage, spaceId, room)) shown.add(id);
    requireSmall(ctx, 'text', MAX_EVALUATED - room.characters);
  }
  return [...shown];
}

type Rows = readonly [ShownRow, ...ShownRow[]];

function bySource(rows: readonly ShownRow[]): Iterable<Rows> {
  const groups = new Map<string, [ShownRow, ...ShownRow[]]>();
  for (const row of rows) {
    const key = `${row.space_id} ${row.source_id}`;
    addToList(groups, key, row);
  }
  return groups.values();
}

/** Lists files from the index, unless the visitor or included content decides. */
async function filesOfPage(
  { reader }: SiteVisit,
  space: OpenSpace,
  page: DocumentPage,
  rows: Rows,
  spaceId: string,
  room: { characters: number },
): Promise<string[]> {
  const text = await readText(space.load, page.document);
  const isIncluding = rows.some(({ kind }) => kind === 'reusable-content');
  const isEvaluated = isIncluding || hasConditions(text);
  const certain = rows.filter(({ kind, is_cover: isCover }) => kind === 'file' && (isCover || !isEvaluated));
  const ids = certain.map((row) => row.target_id);
  if (!isEvaluated || text.length > room.characters) return ids;
  room.characters -= text.length;
  const from = space.siteSpace.spaceId;
  const refs = await referencesOf(() => readPage(reader, space, page));
  return [
    ...ids,
    ...refs.flatMap((ref) => (ref.kind === 'file' && (ref.space ?? from) === spaceId ? [ref.file] : [])),
  ];
}

/** A page that is too large to be evaluated shows nothing. */
async function referencesOf(read: () => ReturnType<typeof readPage>) {
  try {
    return (await read()).references.refs;
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) return [];
    throw error;
  }
}
