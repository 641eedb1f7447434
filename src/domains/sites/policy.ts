import { effectiveRole, resource, SPACE, type Authorised } from '../access/index.ts';
import { SEGMENTS } from '../spaces/index.ts';

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth';

/** An image for each theme, or an emoji. */
export interface SiteIcon {
  readonly icon?: { readonly light: string; readonly dark: string };
  readonly emoji?: string;
}

export interface SiteRow extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  readonly type: string;
  readonly title: string;
  /** The favicon of the customization; null: the default. */
  readonly icon: SiteIcon | null;
  readonly visibility: SiteVisibility;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy_origin: string | null;
  readonly published_at: Date | null;
  readonly adaptive_content: boolean;
  readonly agents_context: 'excluded' | 'included';
  readonly version: number;
  /** Increases with every change of the site, its structure and its settings. */
  readonly config_version: number;
  readonly created_at: Date;
  readonly site_spaces: number;
}

const COLUMNS = `
  t.organization_id, t.id as site_id, t.type, t.title, t.visibility, t.basename, t.hostname, t.proxy_origin,
  t.published_at, t.adaptive_content, t.agents_context, t.version, t.config_version, t.created_at,
  (select nullif(cu.settings -> 'favicon', '{}') from site_customizations cu where cu.site_id = t.id) as icon,
  (select count(*)::int from site_spaces v where v.site_id = t.id and not v.space_deleted) as site_spaces`;

/** Organization admins are admins of every site; installations on all sites have the role that their scopes need. Others have the highest role that is granted to them on the site. */
export const SITE_ROLE = `
  case when mine.role = 'admin' then mine.role when mine.sites_role is not null then mine.sites_role else (
    select g.role from grants g
    where g.site_id = t.id and (g.user_id = mine.user_id or g.team_id in (
      select tm.team_id from team_members tm
      where tm.organization_id = mine.organization_id and tm.user_id = mine.user_id))
    order by g.role desc limit 1) end`;

const rowsWith = (columns: string, joined: string, condition: string) => `
  select ${columns}, r.role
  from members mine
  join sites t on t.organization_id = mine.organization_id
  cross join lateral (select ${SITE_ROLE} as role) r
  ${joined}
  where mine.user_id = caller.id and not mine.disabled and r.role is not null and ${condition}`;

/** Rows of a site that the caller may view: `columns` of the tables in `joined`. */
export const rowsInsideSite = (columns: string, joined: string, condition = 'true'): string =>
  rowsWith(`t.organization_id, t.id as site_id, ${columns}`, joined, condition);

export const sites = resource<SiteRow>()({
  name: 'Site',
  key: 'site_id',
  rows: rowsWith(COLUMNS, '', 'true'),
  match: 't.id = any(:ids)',
  needs: {
    view: 'read',
    access: 'read',
    edit: 'admin',
    create: 'admin',
    admin: 'admin',
    installIntegration: 'admin',
    viewAdaptiveSchema: 'read',
    editAdaptiveSchema: 'admin',
  },
  cacheTags: (row) => [`organization:${row.organization_id}`, `site:${row.site_id}`],
});

interface InSite extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
}

export interface SiteSectionRow extends InSite {
  readonly site_section_id: string;
  readonly site_section_group_id: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly path: string;
  readonly icon: string | null;
  readonly condition: string | null;
  readonly is_default: boolean;
  readonly position: string;
  /** Its path in the structure of the site. */
  readonly place: string;
  readonly version: number;
}

export const siteSections = resource<SiteSectionRow>()({
  name: 'Site section',
  key: 'site_section_id',
  rows: rowsInsideSite(
    `sec.id as site_section_id, sec.group_id as site_section_group_id, sec.title, sec.description, sec.path, sec.icon,
    sec.condition, sec.is_default, sec.position, sec.place, sec.version`,
    'join site_sections sec on sec.site_id = t.id',
  ),
  match: 't.id = :within and sec.id = any(:ids)',
  within: sites,
  needs: { view: 'read', admin: 'admin' },
});

export interface SiteSectionGroupRow extends InSite {
  readonly site_section_group_id: string;
  readonly parent_id: string | null;
  /** The ids of the groups around it, and its own. */
  readonly path: readonly string[];
  readonly title: string;
  readonly icon: string | null;
  readonly position: string;
  readonly place: string;
  readonly version: number;
}

export const siteSectionGroups = resource<SiteSectionGroupRow>()({
  name: 'Site section group',
  key: 'site_section_group_id',
  rows: rowsInsideSite(
    `grp.id as site_section_group_id, grp.parent_id, grp.path, grp.title, grp.icon, grp.position, grp.place,
    grp.version`,
    'join site_section_groups grp on grp.site_id = t.id',
  ),
  match: 't.id = :within and grp.id = any(:ids)',
  within: sites,
  needs: { view: 'read', admin: 'admin' },
});

export interface SiteSpaceRow extends InSite {
  readonly site_space_id: string;
  readonly section_id: string | null;
  readonly space_id: string;
  readonly path: string;
  readonly condition: string | null;
  readonly is_default: boolean;
  readonly position: string;
  /** The place of its section; empty at the root. */
  readonly section_place: string;
  /** The segments of its URL. */
  readonly segments: readonly string[];
  readonly version: number;
}

/** Site spaces whose space the caller may view: others do not exist for them. */
export const siteSpaces = resource<SiteSpaceRow>()({
  name: 'Site space',
  key: 'site_space_id',
  rows: rowsInsideSite(
    `v.id as site_space_id, v.section_id, v.space_id, v.path, v.condition, v.is_default, v.position,
    coalesce(sec.place, '') as section_place, v.version,
    ${SEGMENTS} as segments`,
    `join site_spaces v on v.site_id = t.id
    left join site_sections sec on sec.id = v.section_id
    join spaces s on s.id = v.space_id
    left join collections c on c.id = s.parent_id
    cross join lateral (select ${effectiveRole(SPACE)} as role) space`,
    'not v.space_deleted and space.role is not null',
  ),
  match: 't.id = :within and v.id = any(:ids)',
  within: sites,
  needs: { view: 'read', admin: 'admin' },
});

/** The ids of all site spaces of a site whose space the caller may view, deleted ones included, as a row `viewable`. */
export const VIEWABLE_SITE_SPACES = `
  cross join lateral (
    select coalesce(array_agg(v.id), '{}') as ids
    from site_spaces v
    join spaces s on s.id = v.space_id
    left join collections c on c.id = s.parent_id
    where v.site_id = t.id and ${effectiveRole(SPACE)} is not null) viewable`;

export interface ShareLinkRow extends InSite {
  readonly share_link_id: string;
  readonly name: string;
  readonly key_sealed: Buffer;
  readonly active: boolean;
  readonly version: number;
  readonly created_at: Date;
}

/** A key opens the site, so only its admins see share links. */
export const shareLinks = resource<ShareLinkRow>()({
  name: 'Share link',
  key: 'share_link_id',
  rows: rowsInsideSite(
    'k.id as share_link_id, k.name, k.key_sealed, k.active, k.version, k.created_at',
    'join share_links k on k.site_id = t.id',
    "r.role = 'admin'",
  ),
  match: 't.id = :within and k.id = any(:ids)',
  within: sites,
  needs: { view: 'admin', admin: 'admin' },
});
