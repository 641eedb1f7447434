import { sql, type RawBuilder } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { containing, visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { members, type MemberRow } from '../members/index.ts';
import { teams, type TeamRow } from './policy.ts';

export type TeamRole = 'owner' | 'member';
export type TeamMemberRow = MemberRow & { readonly team_role: TeamRole; readonly team_joined_at: Date };
export type MemberTeamRow = TeamRow & { readonly team_role: TeamRole };

const byAge = {
  by: ['created_at', 'team_id'],
  direction: 'asc' as const,
  key: (row: TeamRow) => [row.created_at.toISOString(), row.team_id],
};

/** A new team as its creator sees it, without a query. */
export async function insertTeam(
  db: Database,
  organizationId: string,
  title: string,
  createdAt: Date,
): Promise<Omit<TeamRow, 'role' | 'members'>> {
  const id = newId();
  await sql`${PIPELINED}
    insert into teams (id, organization_id, title) values (${id}, ${organizationId}, ${title})`.execute(db);
  return {
    organization_id: organizationId,
    team_id: id,
    title,
    version: 1,
    created_at: createdAt,
  };
}

export async function renameTeam(db: Database, id: string, title: string): Promise<void> {
  await db
    .updateTable('teams')
    .set({ title, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export const deleteTeam = (db: Database, id: string) => db.deleteFrom('teams').where('id', '=', id).execute();

export const getTeam = (db: Database, callerId: string, id: string): Promise<TeamRow> =>
  visibleRows(db, teams, callerId).selectAll().where('team_id', '=', id).executeTakeFirstOrThrow();

interface TeamFilter {
  readonly organizationId: string;
  /** Only teams that this member can manage. */
  readonly ownerId?: string | undefined;
  readonly title?: string | undefined;
}

export function listTeams(db: Database, callerId: string, filter: TeamFilter, page: PageRequest) {
  let rows = visibleRows(db, teams, callerId)
    .selectAll()
    .where('organization_id', '=', filter.organizationId);
  if (filter.title) rows = rows.where('title', 'ilike', containing(filter.title));
  if (filter.ownerId) {
    rows = rows.where(sql<boolean>`
      exists (select from team_members tm
        where tm.team_id = row.team_id and tm.user_id = ${filter.ownerId} and tm.role = 'owner')
      or exists (select from members m
        where m.organization_id = row.organization_id and m.user_id = ${filter.ownerId} and m.role = 'admin')`);
  }
  return fetchPage(rows, page, byAge);
}

export function listTeamsOfMember(
  db: Database,
  callerId: string,
  member: { organization_id: string; user_id: string },
  title: string | undefined,
  page: PageRequest,
) {
  let rows = visibleRows(db, teams, callerId)
    .innerJoin('team_members as tm', (join) =>
      join.onRef('tm.team_id', '=', 'row.team_id').on('tm.user_id', '=', member.user_id),
    )
    .selectAll('row')
    .select('tm.role as team_role')
    .where('row.organization_id', '=', member.organization_id);
  if (title) rows = rows.where('row.title', 'ilike', containing(title));
  return fetchPage(rows, page, { ...byAge, by: ['row.created_at', 'row.team_id'] });
}

export function listTeamMembers(db: Database, callerId: string, team: TeamRow, page: PageRequest) {
  const rows = visibleRows(db, members, callerId)
    .innerJoin('team_members as tm', (join) =>
      join.onRef('tm.user_id', '=', 'row.user_id').on('tm.team_id', '=', team.team_id),
    )
    .selectAll('row')
    .select(['tm.role as team_role', 'tm.joined_at as team_joined_at'])
    .where('row.organization_id', '=', team.organization_id);
  return fetchPage(rows, page, {
    by: ['tm.joined_at', 'tm.user_id'],
    direction: 'asc',
    key: (row: TeamMemberRow) => [row.team_joined_at.toISOString(), row.user_id],
  });
}

export interface TeamMembership {
  readonly userId: string;
  /** Undefined: keep the present role, or become a plain member. */
  readonly role: TeamRole | undefined;
}

/** The last one of a user counts. */
export async function putTeamMembers(
  db: Database,
  team: { organization_id: string; team_id: string },
  memberships: readonly TeamMembership[],
): Promise<void> {
  const roles = new Map(memberships.map(({ userId, role }) => [userId, role]));
  const given = [...roles].flatMap(([id, role]) => (role ? [{ id, role }] : []));
  const others = [...roles].flatMap(([id, role]) => (role ? [] : [{ id, role: 'member' as const }]));
  await insertTeamMembers(db, team, given, sql`do update set role = excluded.role`);
  await insertTeamMembers(db, team, others, sql`do nothing`);
}

/** Inserts in one order, so that two transactions with the same users do not deadlock. */
async function insertTeamMembers(
  db: Database,
  team: { organization_id: string; team_id: string },
  users: readonly { readonly id: string; readonly role: TeamRole }[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  if (users.length === 0) return;
  await sql`
    insert into team_members (organization_id, team_id, user_id, role)
    select ${team.organization_id}, ${team.team_id}, id, role::team_role
    from unnest(${users.map(({ id }) => id)}::text[], ${users.map(({ role }) => role)}::text[]) as new (id, role)
    order by id
    on conflict (team_id, user_id) ${onConflict}`.execute(db);
}

export async function deleteTeamMembers(
  db: Database,
  teamId: string,
  userIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('team_members')
    .where('team_id', '=', teamId)
    .where('user_id', '=', sql<string>`any(${[...userIds]})`)
    .execute();
}
