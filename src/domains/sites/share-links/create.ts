import type { Context } from '../../../platform/api/context.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import { newSecret } from '../../../platform/api/ids.ts';
import { shareKeyOf } from '../../spaces/index.ts';
import type { SiteRow } from '../policy.ts';
import { lockSite } from '../store.ts';
import { countShareLinks, insertShareLink } from './store.ts';

const MAX_SHARE_LINKS = 1000;

/** A link with a new key: 190 random bits, stored encrypted, found by its HMAC. */
export async function createShareLink(ctx: Context, site: SiteRow, name: string): Promise<string> {
  await lockSite(ctx.db, site.site_id);
  if ((await countShareLinks(ctx.db, site.site_id)) >= MAX_SHARE_LINKS)
    throw badRequest(`A site has at most ${MAX_SHARE_LINKS} share links. Delete one first.`);
  const key = newSecret();
  const hash = shareKeyOf(ctx.keys, key)?.hash ?? '';
  return insertShareLink(ctx.db, site.site_id, { name, hash, sealed: ctx.keys.seal('share-link', key) });
}
