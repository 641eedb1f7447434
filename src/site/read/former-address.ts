import { readRedirects } from '../../content-engine/folder/index.ts';
import {
  findByPath,
  findFolder,
  findPage,
  pathOf,
  type ContentRef,
  type LinkTable,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { findRedirect, sourceKey, type FoundRedirect } from '../../domains/redirects/index.ts';
import { findFormerPaths, foldedPath, readInline } from '../../domains/revisions/index.ts';
import type { SiteAddresses } from './addresses.ts';
import type { Place } from './places.ts';
import type { OpenSpace } from './open-space.ts';
import type { ReadContext } from './published-site.ts';
import type { SiteReader } from './site-reader.ts';

/**
 * Where a path without a page leads: by a redirect of the site, by one of `.gitbook.yaml`, or to a page that had the path.
 * Only to what the visitor may read.
 */
export async function findFormer(
  ctx: ReadContext,
  reader: SiteReader,
  addresses: SiteAddresses,
  segments: readonly string[],
  places: readonly Place[],
): Promise<string | undefined> {
  if (segments.length === 0 || reader.visitor.refusal !== undefined) return undefined;
  const key = sourceKey(`/${segments.map(encodeURIComponent).join('/')}`);
  const redirect = key === undefined ? undefined : await findRedirect(ctx.db, reader.site.id, key);
  const destination = redirect && (await hrefOfDestination(reader, addresses, redirect));
  if (destination !== undefined) return destination;
  for (const { siteSpace, rest } of places) {
    if (rest.length === 0) continue;
    const space = await reader.open(siteSpace);
    const pageId =
      (await byConfiguration(space, rest)) ?? (await byFormerPath(ctx, space, foldedPath(rest.join('/'))));
    const href = pageId === undefined ? undefined : hrefOfPage(reader, addresses, space, pageId);
    if (href !== undefined) return href;
  }
  return undefined;
}

/** The address of a readable page; of a group, that of its first page. */
export function hrefOfPage(
  reader: SiteReader,
  addresses: SiteAddresses,
  space: OpenSpace,
  id: string,
): string | undefined {
  const pages = reader.pagesOf(space);
  const page = findPage(space.tree, id);
  if (!page || !pages.mayRead(id)) return undefined;
  const shown = page.type === 'document' ? page : page.type === 'group' ? pages.firstBelow(id) : undefined;
  return shown && addresses.page(space, shown.id);
}

async function hrefOfDestination(
  reader: SiteReader,
  addresses: SiteAddresses,
  { section_id: sectionId, site_space_id: siteSpaceId, page_id: pageId }: FoundRedirect,
): Promise<string | undefined> {
  if (sectionId !== null) {
    const section = reader.sections.find(({ id }) => id === sectionId);
    return section && addresses.section(section);
  }
  const siteSpace = reader.siteSpaces.find(({ id }) => id === siteSpaceId);
  if (!siteSpace || pageId === null) return siteSpace && addresses.space(siteSpace);
  return hrefOfPage(reader, addresses, await reader.open(siteSpace), pageId);
}

const configured = new WeakMap<Tree, ReadonlyMap<string, ContentRef>>();

async function byConfiguration(
  { tree, load }: OpenSpace,
  segments: readonly string[],
): Promise<string | undefined> {
  let redirects = configured.get(tree);
  if (!redirects) {
    const { text = '', links = {} } = findFolder(tree)?.configuration ?? {};
    const source = await readInline<string>(load, text);
    const targets = readRedirects(tree, source, await readInline<LinkTable>(load, links));
    redirects = new Map(Array.from(targets, ([path, ref]) => [foldedPath(path), ref]));
    configured.set(tree, redirects);
  }
  const ref = redirects.get(foldedPath(segments.join('/')));
  return ref && 'page' in ref ? ref.page : undefined;
}

/** A page may have been moved several times, and pages above it between. */
const MAX_MOVES = 16;

/** Follows the path through the moves of the page and of the pages above it. */
async function byFormerPath(
  ctx: ReadContext,
  { tree, siteSpace }: OpenSpace,
  from: string,
): Promise<string | undefined> {
  const tried = new Set<string>();
  for (let path = from; !tried.has(path) && tried.size < MAX_MOVES;) {
    tried.add(path);
    const prefixes = prefixesOf(path);
    const moved = await findFormerPaths(ctx.db, siteSpace.spaceId, prefixes);
    // The longest one is the most specific. Pages that were deleted have no path.
    const prefix = prefixes.find((each) => pathOf(tree, moved.get(each) ?? '') !== undefined);
    const present = prefix === undefined ? undefined : pathOf(tree, moved.get(prefix) ?? '');
    if (prefix === undefined || present === undefined) return undefined;
    path = foldedPath(present) + path.slice(prefix.length);
    const page = findByPath(tree, path);
    if (page) return page.id;
  }
  return undefined;
}

function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_segment, index) => segments.slice(0, segments.length - index).join('/'));
}
