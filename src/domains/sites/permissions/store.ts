import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Role } from '../../access/index.ts';
import { SHOWN_EMAIL, type UserColumns } from '../../users/index.ts';
import { SITE_ROLE } from '../policy.ts';

export type SitePermissionRow = UserColumns & {
  readonly permission: Role;
  readonly disabled: boolean;
  /** Null: the role is on the site itself. */
  readonly space_id: string | null;
};

/**
 * Members with a role on the site, and those who have none but a grant on a space that it shows, with the highest of these
 * grants.
 */
export function listSitePermissions(db: Database, siteId: string, page: PageRequest) {
  const everybody = sql<SitePermissionRow>`(
    select u.id as user_id, u.display_name, ${sql.raw(SHOWN_EMAIL)} as email, u.photo_url, mine.disabled,
      coalesce(r.role, shown.role) as permission, case when r.role is null then shown.space_id end as space_id
    from sites t join members mine on mine.organization_id = t.organization_id join users u on u.id = mine.user_id
    cross join lateral (select ${sql.raw(SITE_ROLE)} as role) r
    left join lateral (
      select g.role, g.space_id from site_spaces v join grants g on g.space_id = v.space_id
      where v.site_id = t.id and not v.space_deleted and (g.user_id = mine.user_id or g.team_id in (
        select tm.team_id from team_members tm
        where tm.organization_id = mine.organization_id and tm.user_id = mine.user_id))
      order by g.role desc, g.space_id limit 1) shown on r.role is null
    where t.id = ${siteId} and not mine.disabled and mine.installation_id is null and coalesce(r.role, shown.role) is not null)`;
  return fetchPage(db.selectFrom(everybody.as('person')).selectAll(), page, {
    by: ['user_id'],
    direction: 'asc',
    key: (row: SitePermissionRow) => [row.user_id],
  });
}
