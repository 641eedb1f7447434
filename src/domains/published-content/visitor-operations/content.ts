import {
  findByPath,
  findFile,
  findPage,
  walkPages,
  type DocumentPage,
  type FileRecord,
  type PageRecord,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import type { Encoded } from '../../../platform/api/operation.ts';
import { presentList, slicePage, type PageRequest } from '../../../platform/api/pagination.ts';
import { bodyMarkdown } from '../../../site/feeds/markdown.ts';
import type { OpenSpace } from '../../../site/read/pages/open-space.ts';
import { documentJson } from '../../../site/read/pages/read-page.ts';
import {
  answered,
  hashOfDocumentId,
  jsonOf,
  presentFile,
  withMember,
  writePage,
  writePages,
  writeRevision,
  type Shown,
} from '../../revisions/index.ts';
import type { SiteVisit } from '../visit.ts';
import { shownFiles } from './shown-files.ts';
import { shownLinks } from './shown-links.ts';
import { visibleTree } from './visible-tree.ts';

interface ContentOptions {
  readonly computed?: boolean;
}

interface PageOptions extends ContentOptions {
  readonly format?: 'markdown' | 'document';
}

/** The history of the content is not published. */
const shownOf = (
  { keys, addresses, isFront }: Context,
  { siteSpace }: OpenSpace,
  tree: Tree,
  { computed = true }: ContentOptions,
): Shown & Pick<Context, 'isFront'> => ({
  row: {
    space_id: siteSpace.spaceId,
    revision_id: siteSpace.revisionId,
    revision_created_at: new Date(siteSpace.revisedAt),
    // A merge would name its change request.
    type: 'edits',
    parents: [],
    git: null,
    merged_from: null,
  },
  tree,
  addresses,
  keys,
  computed,
  isFront,
});

/** The cached answer for visitors who read the same; otherwise `make` creates it. */
const cached = (
  ctx: Context,
  visit: SiteVisit,
  { siteSpace: { id, revisionId } }: OpenSpace,
  what: string,
  make: () => Promise<Uint8Array>,
): Promise<Encoded> =>
  answered(ctx.caches.revisionAnswers, `visit ${visit.key} ${id} ${what}`, async () => ({
    json: await make(),
    version: revisionId,
  }));

export const readRevision = (ctx: Context, visit: SiteVisit, space: OpenSpace, options: ContentOptions) =>
  cached(ctx, visit, space, `revision ${options.computed}`, async () => {
    const fileIds = await shownFiles(ctx, visit, space.siteSpace.spaceId);
    const linkIds = await shownLinks(ctx, visit, space);
    const tree = visibleTree(space, { pageIds: [visit.pageId], linkIds, fileIds });
    return writeRevision(shownOf(ctx, space, tree, options));
  });

export const readPages = (ctx: Context, visit: SiteVisit, space: OpenSpace, options: ContentOptions) =>
  cached(ctx, visit, space, `pages ${options.computed}`, async () => {
    const linkIds = await shownLinks(ctx, visit, space);
    const tree = visibleTree(space, { pageIds: [visit.pageId], linkIds });
    return writePages(shownOf(ctx, space, tree, options));
  });

export async function listFiles(ctx: Context, visit: SiteVisit, space: OpenSpace, page: PageRequest) {
  const { tree, siteSpace } = space;
  const shown = await shownFiles(ctx, visit, siteSpace.spaceId);
  const ids = tree.files.filter((id) => shown.has(id));
  return presentList(slicePage(ids, page, siteSpace.revisionId), (id) =>
    presentFile(shownOf(ctx, space, tree, {}), findFile(tree, id) as FileRecord),
  );
}

export async function readFile(ctx: Context, visit: SiteVisit, space: OpenSpace, id: string) {
  const file = findFile(space.tree, id);
  const shown = file && !file.unlisted && (await shownFiles(ctx, visit, space.siteSpace.spaceId)).has(id);
  if (!shown) throw notFound('File');
  return presentFile(shownOf(ctx, space, space.tree, {}), file);
}

/** A page that the visitor may read, also if it is not listed: they know its id or path. */
function readable(space: OpenSpace, page: PageRecord | undefined): PageRecord {
  if (!page || !space.pages.mayRead(page.id)) throw notFound('Page');
  return page;
}

export const pageById = (space: OpenSpace, id: string): PageRecord =>
  readable(space, findPage(space.tree, id));

export const pageByPath = (space: OpenSpace, path: string): PageRecord =>
  readable(space, findByPath(space.tree, path));

export function pageOfDocument({ keys }: Context, space: OpenSpace, documentId: string): PageRecord {
  const hash = hashOfDocumentId(keys, space.siteSpace.spaceId, documentId);
  for (const { page } of walkPages(space.tree))
    if (page.type === 'document' && page.document === hash && space.pages.mayRead(page.id)) return page;
  throw notFound('Document');
}

export function readPage(
  ctx: Context,
  visit: SiteVisit,
  space: OpenSpace,
  page: PageRecord,
  { computed, format = ctx.settings.pageFormat }: PageOptions,
): Promise<Encoded> {
  return cached(ctx, visit, space, `page ${page.id} ${format} ${computed}`, async () => {
    const linkIds = await shownLinks(ctx, visit, space);
    const tree = visibleTree(space, { pageIds: [visit.pageId, page.id], linkIds });
    const visible = findPage(tree, page.id);
    if (!visible) throw notFound('Page');
    const shown = writePage(shownOf(ctx, space, tree, { computed }), visible);
    if (page.type !== 'document') return shown;
    return format === 'document'
      ? withMember(shown, 'document', await documentJson(visit.reader, space, page))
      : withMember(shown, 'markdown', jsonOf(await markdownOf(visit, space, page)));
  });
}

const markdownOf = async ({ reader, addresses }: SiteVisit, space: OpenSpace, page: DocumentPage) =>
  (await bodyMarkdown(reader, addresses, space, page)).text;

/** The document is always evaluated, with what it includes: the visitor may not read the rest. */
export function readDocument(
  ctx: Context,
  visit: SiteVisit,
  space: OpenSpace,
  page: PageRecord,
): Promise<Encoded> {
  if (page.type !== 'document') throw notFound('Document');
  return cached(ctx, visit, space, `document ${page.id}`, () => documentJson(visit.reader, space, page));
}
