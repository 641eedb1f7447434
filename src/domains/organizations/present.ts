import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { organizations, type OrganizationRow } from './policy.ts';

const FLAGS = [
  'view',
  'access',
  'admin',
  'ownTeam',
  'createContent',
  'createOpenAPISpec',
  'ingestConversations',
  'viewBilling',
  'listMembers',
  'listTeams',
  'listIntegrations',
  'listInstallations',
  'installIntegration',
] as const;

/** Members without a value are absent, and members of a hosted service (billing, blocked) are not invented. */
export function presentOrganization(row: OrganizationRow, callerId: string, addresses: Addresses) {
  return {
    object: 'organization' as const,
    id: row.organization_id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    emailDomains: row.email_domains,
    hostname: row.hostname ?? undefined,
    type: row.type as 'business',
    useCase: (row.use_case ?? undefined) as 'other' | undefined,
    communityType: (row.community_type ?? undefined) as 'education' | undefined,
    defaultRole: row.default_role,
    defaultContent: row.default_content ?? undefined,
    sso: row.sso,
    ai: row.ai,
    inviteLinks: row.invite_links,
    plan: 'enterprise_2024' as const,
    mergeRules: row.merge_rules,
    trial: { status: 'notapplicable' as const, count: 0 as const },
    urls: {
      location: addresses.of(`/v1/orgs/${row.organization_id}`),
      app: addresses.of(`/app/orgs/${row.organization_id}`),
      logo: row.logo ?? undefined,
    },
    permissions: flags(organizations, FLAGS, row, callerId),
  };
}

/** Presents it to a caller who could join it, and may not view it yet. */
export const presentToOutsider = (row: OrganizationRow, addresses: Addresses) => ({
  ...presentOrganization(row, '', addresses),
  permissions: Object.fromEntries(FLAGS.map((flag) => [flag, false])) as Record<
    (typeof FLAGS)[number],
    boolean
  >,
});
