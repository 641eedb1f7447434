import { effectiveRole, resource, SPACE, type Authorised } from '../../access/index.ts';
import { organizations } from '../../organizations/index.ts';
import { SITE_ROLE } from '../../sites/index.ts';
import type { Configurations, IntegrationScope } from '../policy.ts';

export interface InstallationRow extends Authorised {
  readonly organization_id: string;
  readonly integration_name: string;
  readonly integration_id: string;
  readonly installation_id: string;
  readonly user_id: string;
  readonly title: string;
  readonly target: 'all' | 'site' | 'space' | 'organization';
  readonly configurations: Configurations;
  /** Of the integration. */
  readonly offered: readonly IntegrationScope[];
  /** Of those, what the organization accepted. */
  readonly scopes: readonly IntegrationScope[];
  readonly is_paused: boolean;
  readonly space_selection: 'all' | 'selected';
  readonly site_selection: 'all' | 'selected';
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly external_ids: readonly string[];
  readonly spaces: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The caller is an admin of the organization that publishes it. */
  readonly is_publisher: boolean;
  /** The caller is the installation, by one of its tokens. */
  readonly is_self: boolean;
}

/** The installation `i` of the integration `n`, the caller's membership where it is, and as its publisher. */
const JOINED = `
  integration_installations i join integrations n on n.id = i.integration_id
  left join members mine
    on mine.organization_id = i.organization_id and mine.user_id = caller.id and not mine.disabled
  left join members publisher
    on publisher.organization_id = n.organization_id and publisher.user_id = caller.id
    and not publisher.disabled and publisher.role = 'admin'`;

const CALLER = `
  publisher.user_id is not null as is_publisher, coalesce(mine.installation_id = i.id, false) as is_self`;

const MAY_CONFIGURE = ({ role, is_self: isSelf }: Authorised & { readonly is_self: boolean }) =>
  isSelf || role === 'admin';

/** Members who are not guests see what is installed on their organization; admins of its publisher see where it is installed. */
export const installations = resource<InstallationRow>()({
  name: 'Installation',
  key: 'installation_id',
  rows: `
    select i.organization_id, n.name as integration_name, n.id as integration_id, i.id as installation_id, i.user_id, n.title, n.target,
      n.configurations, n.scopes as offered,
      array(select unnest(i.scopes) intersect select unnest(n.scopes) order by 1) as scopes,
      i.is_paused, i.space_selection, i.site_selection, i.configuration, i.external_ids,
      (case when i.space_selection = 'all'
        then (select count(*) from spaces s where s.organization_id = i.organization_id and s.deleted_at is null)
        else (select count(*) from integration_space_installations si join spaces s on s.id = si.space_id
          where si.installation_id = i.id and s.deleted_at is null) end)::int as spaces,
      i.version, i.created_at, i.updated_at, mine.role, ${CALLER}
    from ${JOINED}
    where (mine.role is not null or mine.installation_id = i.id or publisher.user_id is not null)`,
  match: 'i.id = any(:ids)',
  needs: { view: 'guest', admin: 'admin', configure: MAY_CONFIGURE, issueTokens: (row) => row.is_publisher },
});

/** Integrations by the organization that they are installed on. */
export const installedIntegrations = resource<InstallationRow>()({
  ...installations,
  name: 'Installed integration',
  key: 'integration_name',
  alias: 'integration_name',
  match: 'i.organization_id = :within and mine.role is not null and n.name = any(:ids)',
  within: organizations,
});

export interface ContentInstallationRow extends Authorised {
  readonly organization_id: string;
  readonly integration_name: string;
  readonly integration_id: string;
  readonly installation_id: string;
  /** The space or site. */
  readonly content_id: string;
  readonly configurations: Configurations;
  readonly is_paused: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly external_ids: readonly string[];
  readonly version: number;
  readonly created_at: Date;
  readonly is_publisher: boolean;
  readonly is_self: boolean;
}

/** The role of the caller is that on the space or site; `content` has one row for each that is not deleted. */
const rowsOn = (kind: 'space' | 'site', content: string, role: string) => `
  select i.organization_id, n.name as integration_name, n.id as integration_id, i.id as installation_id,
    ci.${kind}_id, ci.${kind}_id as content_id, n.configurations, i.is_paused, ci.configuration, ci.external_ids, ci.version,
    ci.created_at, r.role, ${CALLER}
  from ${JOINED}
  join integration_${kind}_installations ci on ci.installation_id = i.id
  ${content}
  cross join lateral (select ${role} as role) r
  where (r.role is not null or mine.installation_id = i.id or publisher.user_id is not null)`;

export const spaceInstallations = resource<ContentInstallationRow>()({
  name: 'Space installation',
  key: 'space_id',
  rows: rowsOn(
    'space',
    `join spaces s on s.id = ci.space_id and s.deleted_at is null
    left join collections c on c.id = s.parent_id`,
    effectiveRole(SPACE),
  ),
  match: 'ci.installation_id = :within and ci.space_id = any(:ids)',
  within: installations,
  needs: { view: 'guest', admin: 'admin', configure: MAY_CONFIGURE },
});

export const siteInstallations = resource<ContentInstallationRow>()({
  name: 'Site installation',
  key: 'site_id',
  rows: rowsOn('site', 'join sites t on t.id = ci.site_id', SITE_ROLE),
  match: 'ci.installation_id = :within and ci.site_id = any(:ids)',
  within: installations,
  needs: { view: 'guest', admin: 'admin', configure: MAY_CONFIGURE },
});
