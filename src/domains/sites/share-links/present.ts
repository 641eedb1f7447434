import type { Context } from '../../../platform/api/context.ts';
import type { ShareLinkRow, SiteRow } from '../policy.ts';
import { publishedUrl } from '../present.ts';

export const presentShareLink = (row: ShareLinkRow, site: SiteRow, { keys, addresses }: Context) => ({
  object: 'share-link' as const,
  id: row.share_link_id,
  createdAt: row.created_at.toISOString(),
  name: row.name,
  active: row.active,
  urls: { published: publishedUrl(addresses, site, [keys.open('share-link', row.key_sealed)]) },
});
