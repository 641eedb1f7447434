import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { COLLECTION, effectiveRole, SPACE, type Role, type Subject } from '../access/index.ts';
import { teams, type TeamRow } from '../teams/index.ts';
import { SHOWN_EMAIL, type UserColumns } from '../users/index.ts';

export type UserPermissionRow = UserColumns & { readonly permission: Role };

const grantedOn = (subject: Subject) => {
  const [column = '', id] = Object.entries(subject)[0] ?? [];
  return sql<boolean>`${sql.ref(`g.${column}`)} = ${id}`;
};

const oldestFirst = {
  by: ['g.created_at', 'g.id'],
  direction: 'asc' as const,
  key: (row: { granted_at: Date; grant_id: string }) => [row.granted_at.toISOString(), row.grant_id],
};

export const listUserGrants = (db: Database, subject: Subject, page: PageRequest) =>
  fetchPage(
    db
      .selectFrom('grants as g')
      .innerJoin('users as u', 'u.id', 'g.user_id')
      .select(['u.id as user_id', 'u.display_name', 'u.photo_url', 'g.role as permission'])
      .select(sql.raw<string>(SHOWN_EMAIL).as('email'))
      .select(['g.created_at as granted_at', 'g.id as grant_id'])
      .where(grantedOn(subject))
      .where('u.is_installation', '=', false),
    page,
    oldestFirst,
  );

export const listTeamGrants = (db: Database, callerId: string, subject: Subject, page: PageRequest) =>
  fetchPage(
    visibleRows(db, teams, callerId)
      .innerJoin('grants as g', 'g.team_id', 'row.team_id')
      .selectAll('row')
      .select(['g.role as permission', 'g.created_at as granted_at', 'g.id as grant_id'])
      .where(grantedOn(subject)),
    page,
    oldestFirst,
  );

export type TeamPermissionRow = TeamRow & { readonly permission: Role };

/** All members of the organization who may view it, with their effective role. */
export function listEffectivePermissions(
  db: Database,
  subject: Exclude<Subject, { site_id: string }>,
  role: Role | undefined,
  page: PageRequest,
) {
  const place = 'space_id' in subject ? SPACE : COLLECTION;
  const object =
    'space_id' in subject
      ? sql`spaces s on s.organization_id = mine.organization_id and s.id = ${subject.space_id}
          left join collections c on c.id = s.parent_id`
      : sql`collections c on c.organization_id = mine.organization_id and c.id = ${subject.collection_id}`;
  const everybody = sql<UserPermissionRow>`(
    select u.id as user_id, u.display_name, ${sql.raw(SHOWN_EMAIL)} as email, u.photo_url, r.role as permission
    from members mine join users u on u.id = mine.user_id join ${object}
    cross join lateral (select ${sql.raw(effectiveRole(place))} as role) r
    where not mine.disabled and mine.installation_id is null and r.role is not null)`;
  const rows = db.selectFrom(everybody.as('person')).selectAll();
  return fetchPage(role ? rows.where('permission', '=', role) : rows, page, {
    by: ['user_id'],
    direction: 'asc',
    key: (row: UserPermissionRow) => [row.user_id],
  });
}
