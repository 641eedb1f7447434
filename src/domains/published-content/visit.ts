import { createHash } from 'node:crypto';
import type { Context } from '../../platform/api/context.ts';
import { notFound } from '../../platform/api/errors.ts';
import type { Visit } from '../../platform/api/visitor-access.ts';
import { siteAddresses, type SiteAddresses } from '../../site/read/addresses.ts';
import type { OpenSpace } from '../../site/read/pages/open-space.ts';
import { openSite } from '../../site/read/published-site.ts';
import { siteReader, type SiteReader } from '../../site/read/site-reader.ts';
import type { SiteSpaceColumns } from '../../site/read/store.ts';
import { readSiteToken, visitorOfToken } from './site-token.ts';

/** The access of a site's token: everything is read through the reader of the pages of the site. */
export interface SiteVisit extends Visit {
  readonly reader: SiteReader;
  /** Hrefs are paths below the site. */
  readonly addresses: SiteAddresses;
  /** Where the visitor is. */
  readonly siteSpace: SiteSpaceColumns | undefined;
  /** A page that is not listed, whose address the visitor knows. */
  readonly pageId: string | undefined;
  /** Equal for visits that read the same: all settings, revisions and claims that decide. */
  readonly key: string;
}

export async function openVisit(ctx: Context, token: string): Promise<SiteVisit | undefined> {
  const read = await readSiteToken(ctx, token);
  const site = read && (await openSite(ctx, read.site));
  if (!site) return undefined;
  const visitor = await visitorOfToken(ctx, site, read);
  if (visitor.refusal !== undefined) return undefined;
  const reader = await siteReader(ctx, site, visitor);
  const revisions = createHash('sha256');
  for (const { id, revisionId } of reader.siteSpaces) revisions.update(`${id} ${revisionId} `);
  return {
    tenant: site.organization_id,
    owner: site.id,
    reader,
    addresses: siteAddresses(ctx.addresses, reader, ''),
    siteSpace: reader.siteSpaces.find(({ id }) => id === read.siteSpace),
    pageId: read.page,
    key: [site.id, site.version, visitor.class, revisions.digest('base64url'), read.page ?? ''].join(' '),
  };
}

/** Where the site shows a space to this visitor. 404 for all other spaces: they do not exist for them. */
export function placeOf({ reader, siteSpace }: SiteVisit, spaceId: string): SiteSpaceColumns {
  const place = reader.placeOf(spaceId, siteSpace);
  if (!place) throw notFound('Space');
  return place;
}

interface ContentPath {
  readonly spaceId: string;
  /** Absent: the one that is published. */
  readonly revisionId?: string;
}

/** The content of a space that is published. No other revision exists for visitors. */
export async function openContent(
  visit: SiteVisit,
  { spaceId, revisionId }: ContentPath,
): Promise<OpenSpace> {
  const place = placeOf(visit, spaceId);
  if (revisionId !== undefined && revisionId !== place.revisionId) throw notFound('Revision');
  return visit.reader.open(place);
}
