import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import type { Keys } from '../../platform/keys.ts';
import { spaces, type GitSync, type Publication, type SpaceRow } from './policy.ts';

const FLAGS = [
  'view',
  'access',
  'admin',
  'viewInviteLinks',
  'edit',
  'triggerGitSync',
  'comment',
  'merge',
  'review',
  'installIntegration',
] as const;

/** The provider is what the request said, or what the host of the URL says. */
const providerOf = ({ installationProvider, url }: GitSync) =>
  installationProvider ?? /^https?:\/\/(?:www\.)?(github|gitlab)\.com\//.exec(url ?? '')?.[1];

export const presentGitInfo = (spaceId: string, git: GitSync) => ({
  ...git,
  installationProvider: providerOf(git) as GitSync['installationProvider'],
  installationId: spaceId,
  installationStatus: 'active' as const,
});

export const presentSpace = (row: SpaceRow, callerId: string, addresses: Addresses, opened?: OpenedSite) => ({
  object: 'space' as const,
  id: row.space_id,
  title: row.title,
  emoji: row.emoji,
  visibility: row.visibility as 'private',
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  deletedAt: row.deleted_at?.toISOString(),
  editMode: row.edit_mode,
  mergeRules: row.merge_rules,
  urls: {
    location: addresses.of(`/v1/spaces/${row.space_id}`),
    app: addresses.of(`/app/spaces/${row.space_id}`),
    published: row.publication
      ? siteUrl(addresses, row.publication, [
          ...(opened?.siteId === row.publication.site_id ? [opened.key] : []),
          ...row.publication.segments,
        ])
      : undefined,
    icon: row.icon ?? undefined,
  },
  organization: row.organization_id,
  parent: row.parent_id ?? undefined,
  language: row.language ?? undefined,
  gitSync: row.git_sync ? presentGitInfo(row.space_id, row.git_sync) : undefined,
  revision: row.revision_id,
  defaultLevel: row.default_level,
  comments: row.comments,
  changeRequests: row.change_requests,
  changeRequestsOpen: row.change_requests_open,
  changeRequestsDraft: row.change_requests_draft,
  permissions: flags(spaces, FLAGS, row, callerId),
});

/** A key of a share link, as a caller sent it, and the hash by which it is found. */
export interface ShareKey {
  readonly key: string;
  readonly hash: string;
}

export const shareKeyOf = (keys: Keys, key: string | undefined): ShareKey | undefined =>
  key === undefined ? undefined : { key, hash: keys.sign('share-link', key) };

/** The site that a caller's key opens: URLs of the site begin with the key. */
export interface OpenedSite {
  readonly key: string;
  readonly siteId: string;
}

/** The URL of a published site, or of a place on it. */
export function siteUrl(
  addresses: Addresses,
  site: Pick<Publication, 'basename' | 'hostname' | 'proxy_origin'>,
  segments: readonly string[],
): string {
  const host = site.proxy_origin ?? site.hostname;
  const root = host ? `https://${host}` : addresses.of(`/${encodeURIComponent(site.basename)}`);
  return [root, ...segments.map(encodeURIComponent), ''].join('/');
}
