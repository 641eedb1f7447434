import type { Context } from '../../platform/api/context.ts';
import { shareKeyOf, type OpenedSite } from './present.ts';
import { findSiteOfKey } from './read-store.ts';

/** The site that a key of a share link opens. Unknown and inactive keys are ignored. */
export async function findOpenedSite(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  key: string | undefined,
): Promise<OpenedSite | undefined> {
  const shareKey = shareKeyOf(keys, key);
  const siteId = shareKey && (await findSiteOfKey(db, shareKey.hash));
  return shareKey && siteId !== undefined ? { key: shareKey.key, siteId } : undefined;
}
