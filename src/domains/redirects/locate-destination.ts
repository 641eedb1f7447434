import { findPage, hasSlug, pathOf } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { badRequest, notFound } from '../../platform/api/errors.ts';
import { readTree } from '../content-store/index.ts';
import { findPrimary } from '../revisions/index.ts';
import type { Destination } from './schema.ts';
import { keyOfSegments } from './source-key.ts';
import { findPlace, type FoundRedirect } from './store.ts';

export type ReadContext = Pick<Context, 'db' | 'isFront' | 'caches' | 'files'>;
type DestinationColumns = Pick<FoundRedirect, 'section_id' | 'site_space_id' | 'page_id'>;

/** The segments of the path of a destination on its site, as it is now. Undefined: it has none any more. */
export async function locateDestination(
  ctx: ReadContext,
  to: DestinationColumns,
): Promise<readonly string[] | undefined> {
  const place = await findPlace(ctx.db, to);
  if (!place) return undefined;
  const page = to.page_id === null ? '' : await pagePath(ctx, place.space_id, to.page_id);
  if (page === undefined) return undefined;
  return [...place.segments, ...page.split('/').filter((slug) => slug !== '')];
}

async function pagePath(ctx: ReadContext, spaceId: string, pageId: string): Promise<string | undefined> {
  const primary = await findPrimary(ctx.db, spaceId);
  const tree = await readTree(ctx, primary);
  const page = findPage(tree, pageId);
  return page && hasSlug(page) ? pathOf(tree, page.id) : undefined;
}

/** Locates destinations for one request: each of them once. */
export function createLocator(ctx: ReadContext): Locate {
  const located = new Map<string, ReturnType<Locate>>();
  return (to) => {
    const key = JSON.stringify(to);
    let path = located.get(key);
    if (!path) located.set(key, (path = locateDestination(ctx, to)));
    return path;
  };
}

type Locate = (to: DestinationColumns) => Promise<readonly string[] | undefined>;

/** 404 for a page that the site space does not have, 400 for a redirect to its own source. */
export async function requireDestination(
  locate: Locate,
  key: string,
  to: Destination,
  path: string,
): Promise<void> {
  const located = await locate({
    section_id: to.kind === 'site-section' ? to.siteSectionId : null,
    site_space_id: to.kind === 'site-section' ? null : to.siteSpaceId,
    page_id: to.kind === 'site-page' ? to.pageId : null,
  });
  if (located === undefined) {
    if (to.kind === 'site-page') throw notFound(`Page "${to.pageId}" (${path}.destination.pageId)`);
    return;
  }
  if (keyOfSegments(located) === key) {
    throw badRequest(`The redirect leads to its own source (${path}.source). Choose another source.`, [
      { path: `${path}.source`, rule: 'not the path of the destination' },
    ]);
  }
}
