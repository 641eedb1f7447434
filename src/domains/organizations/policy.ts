import { requireMay, unserved } from '../../platform/api/resource.ts';
import { atLeast, resource, type Authorised, type Role } from '../access/index.ts';

export interface OrganizationRow extends Authorised {
  readonly organization_id: string;
  readonly title: string;
  readonly email_domains: string[];
  readonly hostname: string | null;
  readonly type: string;
  readonly use_case: string | null;
  readonly community_type: string | null;
  readonly default_role: Role | null;
  readonly default_content: { type: 'site'; site: string } | null;
  readonly logo: string | null;
  readonly sso: boolean;
  readonly ai: boolean;
  readonly invite_links: boolean;
  readonly merge_rules: { readonly type: 'none' | 'rules' };
  readonly version: number;
  readonly created_at: Date;
  readonly owns_team: boolean;
}

const COLUMNS = `
  o.id as organization_id, o.title, o.email_domains, o.hostname, o.type, o.use_case, o.community_type, o.default_role,
  o.default_content, o.logo, o.sso, o.ai, o.invite_links, o.merge_rules, o.version, o.created_at`;

/** The organizations that the caller belongs to. An installation has a role on its specifications only. */
export const organizations = resource<OrganizationRow>()({
  name: 'Organization',
  key: 'organization_id',
  rows: `
    select ${COLUMNS}, coalesce(m.role, m.specs_role) as role, exists (
      select from team_members tm
      where tm.organization_id = o.id and tm.user_id = caller.id and tm.role = 'owner') as owns_team
    from members m join organizations o on o.id = m.organization_id
    where m.user_id = caller.id and not m.disabled`,
  match: 'o.id = any(:ids)',
  needs: {
    view: 'guest',
    access: 'guest',
    admin: 'admin',
    // A guest sees no teams, and so manages none, not even as the owner of one.
    ownTeam: (row) => (row.owns_team && row.role !== null) || atLeast(row.role, 'admin'),
    createContent: 'create',
    createOpenAPISpec: 'create',
    listOpenAPISpecs: 'read',
    ingestConversations: unserved,
    viewBilling: unserved,
    listMembers: 'read',
    listTeams: 'read',
    listIntegrations: 'read',
    listInstallations: 'read',
    installIntegration: 'admin',
  },
  cacheTags: (row) => [`organization:${row.organization_id}`],
});

/** Organizations that list the domain of the caller's own, proven address: the caller may join them. */
export const joinableOrganizations = resource<OrganizationRow>()({
  ...organizations,
  rows: `
    select ${COLUMNS}, null::role as role, false as owns_team
    from users u join organizations o on split_part(u.email, '@', -1) = any(o.email_domains)
    where u.id = caller.id and u.email_proven_at is not null`,
  cacheTags: undefined,
});

/** The people of an organization, for merge rules that name them. */
export const people = resource<Authorised & { readonly organization_id: string; readonly user_id: string }>()(
  {
    name: 'Member',
    key: 'user_id',
    rows: `
    select m.organization_id, m.user_id, mine.role
    from members mine join members m on m.organization_id = mine.organization_id
    where mine.user_id = caller.id and not mine.disabled and mine.role is not null and m.installation_id is null`,
    match: 'm.organization_id = :within and m.user_id = any(:ids)',
    within: organizations,
    needs: { view: 'read' },
  },
);

// Limits who may create an organization.
declare module '../../platform/api/context.ts' {
  interface Settings {
    readonly organizationCreation: 'anyone' | 'operator';
  }
}

/** Rejects unless the caller may create at the root of an organization. Inside a collection, the role on it decides. */
export const requireCreateContent = (row: OrganizationRow, callerId: string): void =>
  requireMay(
    organizations,
    'createContent',
    row,
    callerId,
    'create or move content at the root of this organization',
  );
