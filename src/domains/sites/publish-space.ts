import type { Database } from '../../platform/database/connection.ts';
import { insertSite, setPublished } from './store.ts';
import { positionsAtEnd } from './structure/order.ts';
import { insertSiteSpace } from './structure/site-space-store.ts';

interface PublishedSpace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly title: string;
  readonly basename: string;
}

/** Publishes a space as a site of its own, for everyone. For the first start, when no other site exists. */
export async function publishSpace(db: Database, space: PublishedSpace): Promise<string> {
  const { organizationId, spaceId, title, basename } = space;
  const columns = { organizationId, title, basename, type: undefined, visibility: undefined };
  const siteId = await insertSite(db, columns);
  if (siteId === undefined) throw new Error(`the basename ${basename} is taken in a new installation`);
  const [position = ''] = positionsAtEnd([], 1);
  const site = { organization_id: organizationId, site_id: siteId };
  await insertSiteSpace(db, site, { sectionId: null, spaceId, path: basename, position });
  await setPublished(db, siteId, true);
  return siteId;
}
