import type { Addresses, Context } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { siteUrl } from '../spaces/index.ts';
import { sites, type SiteRow } from './policy.ts';

type SiteType = 'basic';

const FLAGS = [
  'view',
  'access',
  'edit',
  'create',
  'admin',
  'installIntegration',
  'viewAdaptiveSchema',
  'editAdaptiveSchema',
] as const;

interface Viewed {
  readonly caller: Pick<Context['caller'], 'id'>;
  readonly addresses: Context['addresses'];
}

export const presentSite = (row: SiteRow, { caller, addresses }: Viewed) => ({
  object: 'site' as const,
  id: row.site_id,
  type: row.type as SiteType,
  // No plan limits a site to less than its type.
  appliedType: row.type as SiteType,
  title: row.title,
  icon: row.icon,
  hostname: row.hostname ?? undefined,
  basename: row.basename,
  proxy: row.proxy_origin
    ? { origin: row.proxy_origin, target: siteUrl(addresses, { ...row, proxy_origin: null }, []) }
    : undefined,
  visibility: row.visibility,
  // Only grants give a role on a site.
  defaultLevel: null,
  published: row.published_at !== null,
  siteSpaces: row.site_spaces,
  createdAt: row.created_at.toISOString(),
  adaptiveContent: { enabled: row.adaptive_content },
  agentsContext: row.agents_context,
  features: [],
  urls: {
    location: addresses.of(`/v1/orgs/${row.organization_id}/sites/${row.site_id}`),
    app: addresses.of(`/app/sites/${row.site_id}`),
    published: publishedUrl(addresses, row, []),
    preview: siteUrl(addresses, row, []),
  },
  permissions: flags(sites, FLAGS, row, caller.id),
});

/** The URL of a place on a site; undefined while the site is not published. */
export const publishedUrl = (
  addresses: Addresses,
  site: SiteRow,
  segments: readonly string[],
): string | undefined => (site.published_at ? siteUrl(addresses, site, segments) : undefined);
