import {
  effectiveRole,
  leastRole,
  resource,
  shownDefault,
  SPACE,
  type Authorised,
  type Role,
} from '../access/index.ts';

/** Where a published site shows a space. */
export interface Publication {
  readonly site_id: string;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy_origin: string | null;
  /** The paths of its section and of its site space, without defaults. */
  readonly segments: readonly string[];
}

/** The repository that a space is synchronized with, as the API shows it. */
export interface GitSync {
  readonly repoName?: string;
  readonly installationProvider?: 'github' | 'gitlab';
  readonly url?: string;
  /** Not shown: the directory that the space is, without slashes at its ends. */
  readonly directory?: string;
  readonly updatedAt: string;
}

export interface SpaceRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly parent_id: string | null;
  readonly title: string;
  readonly emoji: string;
  readonly icon: string | null;
  readonly language: string | null;
  /** The visibility of the space or of the published site that shows it, the wider one. */
  readonly visibility: string;
  readonly publication: Publication | null;
  readonly edit_mode: 'live' | 'locked';
  readonly merge_rules: { readonly type: 'inherit' | 'none' | 'rules' };
  readonly default_level: Role | null;
  readonly position: string;
  /** Its path in the tree of the organization. */
  readonly place: string;
  readonly revision_id: string;
  readonly git_sync: GitSync | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly comments: number;
  readonly change_requests: number;
  readonly change_requests_open: number;
  readonly change_requests_draft: number;
}

/** The sums of the tallies of `s`: always exact, and adding one waits for no other transaction. */
const TALLY = `
  cross join lateral (
    select coalesce(sum(t.comments), 0)::int as comments, coalesce(sum(t.change_requests), 0)::int as change_requests,
      coalesce(sum(t.change_requests_open), 0)::int as change_requests_open,
      coalesce(sum(t.change_requests_draft), 0)::int as change_requests_draft
    from space_tallies t where t.space_id = s.id) tally`;

/**
 * The path of a site space `v`, in the section `sec`, on its site. The defaults have no segment, unless the path of a variant
 * would be read as that of a section.
 */
export const SEGMENTS = `array_remove(array[
  case when not sec.is_default or not v.is_default and exists (select from site_sections named
    where named.site_id = v.site_id and lower(named.path) = lower(v.path)) then sec.path end,
  case when not v.is_default then v.path end], null)`;

/** The site space that `publish_spaces` (of the database) has chosen. Most spaces have none, and need no query. */
export const PUBLICATION = `
  case when s.site_space_id is not null then (select jsonb_build_object('site_id', t.id, 'basename', t.basename, 'hostname', t.hostname,
      'proxy_origin', t.proxy_origin,
      'segments', ${SEGMENTS})
    from site_spaces v join sites t on t.id = v.site_id left join site_sections sec on sec.id = v.section_id
    where v.id = s.site_space_id) end`;

const COLUMNS = `
  s.organization_id, s.id as space_id, s.parent_id, s.title, s.emoji, s.icon, s.language,
  space_visibility(s.visibility, s.parent_id, s.site_visibility) as visibility, ${PUBLICATION} as publication,
  s.edit_mode, s.merge_rules, ${shownDefault(SPACE)} as default_level, s.position, s.place, s.revision_id, s.git_sync, s.version, s.created_at,
  s.updated_at, s.deleted_at, tally.*`;

/** Spaces `s` with the caller's role, and the columns of `joined`. */
const rowsWith = (columns: string, joined: string, condition: string) => `
  select ${columns}, r.role
  from members mine
  join organizations o on o.id = mine.organization_id
  join spaces s on s.organization_id = mine.organization_id
  left join collections c on c.id = s.parent_id
  cross join lateral (select ${effectiveRole(SPACE)} as role) r
  ${joined}
  where mine.user_id = caller.id and not mine.disabled and ${condition}`;

const IS_VISIBLE = 's.deleted_at is null and r.role is not null';

/** Rows inside a space that the caller may view: `columns` of the tables in `joined`. */
export const rowsInside = (columns: string, joined: string): string =>
  rowsWith(`s.organization_id, s.id as space_id, ${columns}`, joined, IS_VISIBLE);

/** How long a deleted space can be restored. */
export const RETENTION = "interval '7 days'";

export const spaces = resource<SpaceRow>()({
  name: 'Space',
  key: 'space_id',
  rows: rowsWith(COLUMNS, TALLY, IS_VISIBLE),
  match: 's.id = any(:ids)',
  needs: {
    ...leastRole,
    access: leastRole.view,
    viewInviteLinks: leastRole.admin,
    triggerGitSync: leastRole.admin,
    installIntegration: leastRole.admin,
  },
  cacheTags: (row) => [
    `organization:${row.organization_id}`,
    `space:${row.space_id}`,
    ...(row.publication ? [`site:${row.publication.site_id}`] : []),
  ],
  live: `select s.id as space_id, tally.* from spaces s ${TALLY} where s.id = any($1)`,
});

/** Deleted spaces are visible to their admins as long as they can be restored. */
export const spacesAndDeleted = resource<SpaceRow>()({
  ...spaces,
  cacheTags: (row) => (row.deleted_at ? undefined : spaces.cacheTags?.(row)),
  rows: rowsWith(
    COLUMNS,
    TALLY,
    `r.role is not null and (s.deleted_at is null
    or s.deleted_at > now() - ${RETENTION} and r.role = 'admin')`,
  ),
});
