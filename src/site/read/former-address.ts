import { readRedirects } from '../../content-engine/folder/index.ts';
import {
  findFolder,
  findPage,
  foldSlug,
  MAX_DEPTH,
  ROOT,
  slugKey,
  type ContentRef,
  type LinkTable,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { findRedirect, sourceKey, type FoundRedirect } from '../../domains/redirects/index.ts';
import { readInline } from '../../domains/content-store/index.ts';
import { findFormerSlugs } from '../../domains/revisions/index.ts';
import type { SiteAddresses } from './addresses.ts';
import type { Place } from './places.ts';
import type { OpenSpace } from './pages/open-space.ts';
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
    const pageId = (await byConfiguration(space, rest)) ?? (await byFormerSlugs(ctx, space, rest));
    const href = pageId === undefined ? undefined : hrefOfPage(addresses, space, pageId);
    if (href !== undefined) return href;
  }
  return undefined;
}

/** The address of a readable page; of a group, that of its first page. */
export function hrefOfPage(addresses: SiteAddresses, space: OpenSpace, id: string): string | undefined {
  const { pages } = space;
  const page = findPage(space.tree, id);
  if (!page || !pages.mayRead(id)) return undefined;
  const shown = page.type === 'document' ? page : page.type === 'group' ? pages.firstBelow(id) : undefined;
  return shown && addresses.page(space, shown.id);
}

export async function hrefOfDestination(
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
  return hrefOfPage(addresses, await reader.open(siteSpace), pageId);
}

const foldedPath = (path: string): string => path.split('/').map(foldSlug).join('/');

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

/** A page that a path may lead to, and when it did. */
interface Candidate {
  readonly pageId: string;
  readonly since: number;
  readonly until: number;
}

/** Whether all pages of the path were at their places at one time. Only then the path was an address. */
const wasAddress = ({ since, until }: Candidate): boolean => since < until;

/** The page that had the address last; paths that never were an address come after it. */
const byLastStay = (a: Candidate, b: Candidate): number =>
  Number(wasAddress(b)) - Number(wasAddress(a)) || b.until - a.until;

/** Follows the segments through the places that pages have and had below each page. */
async function byFormerSlugs(
  ctx: ReadContext,
  { tree, siteSpace }: OpenSpace,
  segments: readonly string[],
): Promise<string | undefined> {
  let above: Candidate[] = [{ pageId: ROOT, since: -Infinity, until: Infinity }];
  for (const segment of segments.slice(0, MAX_DEPTH)) {
    const slug = foldSlug(segment);
    const parents = new Map(above.map((candidate) => [candidate.pageId, candidate]));
    const present = [...parents.keys()].flatMap((parentId) => {
      const pageId = tree.slugs.get(slugKey(parentId, slug));
      return pageId === undefined ? [] : [{ parentId, pageId }];
    });
    const ids = present.map(({ pageId }) => pageId);
    const found = await findFormerSlugs(ctx.db, siteSpace.spaceId, [...parents.keys()], slug, ids);
    const stays = [
      ...present.map(({ parentId, pageId }) => ({
        parentId,
        pageId,
        since: found.since.get(pageId) ?? findPage(tree, pageId)?.createdAt ?? 0,
        until: Infinity,
      })),
      ...found.former,
    ];
    const candidates = stays.flatMap(({ parentId, pageId, since, until }): Candidate[] => {
      const parent = parents.get(parentId);
      if (!parent) return [];
      return [{ pageId, since: Math.max(since, parent.since), until: Math.min(until, parent.until) }];
    });
    if (candidates.length === 0) return undefined;
    // The best of each page is the last of its key in the map.
    const worstFirst = candidates.toSorted(byLastStay).toReversed();
    above = [...new Map(worstFirst.map((candidate) => [candidate.pageId, candidate])).values()];
  }
  return above.toSorted(byLastStay).find(({ pageId }) => findPage(tree, pageId))?.pageId;
}
