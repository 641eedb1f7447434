import type { Context } from '../../platform/api/context.ts';
import { findSpaces } from '../../domains/spaces/index.ts';
import type { Preview } from './addresses.ts';
import type { ServedSite } from './find-site.ts';
import { placesOf } from './places.ts';
import { findPreviewed, mayPreview } from './preview-store.ts';
import type { PublishedSite, ReadContext } from './published-site.ts';
import { siteReader } from './site-reader.ts';
import { identifyVisitor, PREVIEW_COOKIE, type Visitor } from './visitor.ts';

/** The visitor; one who may no longer preview the site is a reader like any other. */
export async function currentVisitor(
  ctx: ReadContext & Pick<Context, 'now'>,
  site: PublishedSite,
  cookies: ReadonlyMap<string, string>,
): Promise<Visitor> {
  const visitor = await identifyVisitor(ctx, site, cookies);
  if (visitor.previewer === undefined || (await mayPreview(ctx.db, visitor.previewer, site.id)))
    return visitor;
  return identifyVisitor(ctx, site, new Map([...cookies].filter(([name]) => name !== PREVIEW_COOKIE)));
}

export interface PreviewedSite extends ServedSite {
  readonly preview: Preview;
}

const PATH = /^((?:\/[^/]+)*?)\/~\/(changes|revisions)\/([A-Za-z0-9]{1,40})(\/.*)?$/s;

/**
 * The site as a member of the organization may preview it: published or not, with the spaces that they may view, and with
 * the content of a change request or a revision if the path names one. Undefined: they may not.
 */
export async function openPreview(
  ctx: ReadContext,
  served: ServedSite,
  visitor: Visitor,
): Promise<PreviewedSite | undefined> {
  const { previewer } = visitor;
  if (previewer === undefined || !(await mayPreview(ctx.db, previewer, served.site.id))) return undefined;
  const { userId } = previewer;
  const ids = served.site.site_spaces.map(({ spaceId }) => spaceId);
  const viewable = await findSpaces(ctx.db, userId, ids);
  const site: PublishedSite = {
    ...served.site,
    // Not cached by proxies, not indexed by search engines.
    visibility: 'visitor-auth',
    site_spaces: served.site.site_spaces.filter(({ spaceId }) => viewable.has(spaceId)),
  };
  const [, before = '', kind, id = ''] = PATH.exec(served.path) ?? [];
  if (kind !== 'changes' && kind !== 'revisions')
    return { ...served, site, preview: { title: site.title, siteSpaceId: undefined, segments: [] } };
  const reader = await siteReader(ctx, site, visitor);
  const segments = before.split('/').filter(Boolean);
  const place = placesOf(reader, segments).find(({ rest }) => rest.length === 0)?.siteSpace;
  const found = place && (await findPreviewed(ctx.db, userId, place.spaceId, kind, id));
  if (!place || !found) return undefined;
  const shown = { ...place, revisionId: found.revision_id, root: found.root?.toString('hex') ?? null };
  return {
    ...served,
    site: { ...site, site_spaces: site.site_spaces.map((each) => (each.id === place.id ? shown : each)) },
    preview: {
      title: kind === 'changes' ? `#${id}` : id,
      siteSpaceId: place.id,
      segments: ['~', kind, id],
    },
  };
}
