import type { Database } from '../../platform/database/connection.ts';
import { commonPrefix, freePath } from './paths.ts';
import { insertSite, listBasenamesLike, setPublished } from './store.ts';
import { positionsAtEnd } from './structure/order.ts';
import { insertSiteSpace } from './structure/site-space-store.ts';

interface PublishedSpace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly title: string;
  /** Default: made from the title, with a number if that is taken. */
  readonly basename?: string;
}

/** Publishes a space as a site of its own, for everyone. For the operator. */
export async function publishSpace(db: Database, space: PublishedSpace): Promise<string> {
  const { organizationId, spaceId } = space;
  const { id, basename } = await insertNamed(db, space);
  const [position = ''] = positionsAtEnd([], 1);
  const site = { organization_id: organizationId, site_id: id };
  await insertSiteSpace(db, site, { sectionId: null, spaceId, path: basename, position });
  await setPublished(db, id, true);
  return id;
}

async function insertNamed(db: Database, { organizationId, title, basename: wanted }: PublishedSpace) {
  for (;;) {
    const taken = await listBasenamesLike(db, commonPrefix(title, 'basename'));
    const basename = wanted ?? freePath(title, 'basename', taken);
    const columns = { organizationId, title, basename, type: undefined, visibility: undefined };
    const id = await insertSite(db, columns);
    if (id !== undefined) return { id, basename };
    if (wanted !== undefined) throw new Error(`the basename ${wanted} is taken in a new installation`);
  }
}
