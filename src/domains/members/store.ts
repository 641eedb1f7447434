import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { containing, visibleRows } from '../../platform/database/visible-rows.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Role } from '../access/index.ts';
import { members, type MemberRow } from './policy.ts';
import type { MemberQuery } from './schema.ts';

export interface Membership {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role | null;
}

/** False where they are a member already: nothing changes. */
export async function insertMember(db: Database, member: Membership): Promise<boolean> {
  const inserted = await db
    .insertInto('members')
    .values({ organization_id: member.organizationId, user_id: member.userId, role: member.role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Roles of an installation: on all spaces, on all sites, and on the specifications of the organization. */
export interface InstallationRoles {
  readonly spaces: Role | null;
  readonly sites: Role | null;
  readonly specs: Role | null;
}

/** The membership of an installation, which lists of members omit. */
export async function putInstallationMember(
  db: Database,
  { organizationId, userId }: Omit<Membership, 'role'>,
  installationId: string,
  roles: InstallationRoles,
): Promise<void> {
  const columns = { spaces_role: roles.spaces, sites_role: roles.sites, specs_role: roles.specs };
  await db
    .insertInto('members')
    .values({
      organization_id: organizationId,
      user_id: userId,
      installation_id: installationId,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(columns))
    .execute();
}

export async function setMemberRole(db: Database, member: Membership): Promise<void> {
  await db
    .updateTable('members')
    .set({ role: member.role })
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.userId)
    .execute();
}

export async function deleteMember(db: Database, organizationId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

export const getMember = (
  db: Database,
  callerId: string,
  organizationId: string,
  userId: string,
): Promise<MemberRow> =>
  visibleRows(db, members, callerId)
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();

export function listMembers(
  db: Database,
  callerId: string,
  organizationId: string,
  filter: Static<typeof MemberQuery>,
  page: PageRequest,
) {
  let rows = visibleRows(db, members, callerId).selectAll().where('organization_id', '=', organizationId);
  if (filter.role === 'guest') rows = rows.where('member_role', 'is', null);
  else if (filter.role) rows = rows.where('member_role', '=', filter.role);
  if (filter.search) {
    const pattern = containing(filter.search);
    rows = rows.where((row) =>
      row.or([row('display_name', 'ilike', pattern), row('email', 'ilike', pattern)]),
    );
  }
  const bySeen = filter.sort === 'lastSeenAt';
  // Members without a last visit sort first.
  const seen = (row: MemberRow) => row.last_seen_at ?? new Date(0);
  return fetchPage(rows, page, {
    by: [bySeen ? sql`coalesce(last_seen_at, 'epoch')` : 'joined_at', 'user_id'],
    direction: filter.order ?? 'desc',
    key: (row) => [(bySeen ? seen(row) : row.joined_at).toISOString(), row.user_id],
  });
}

export async function touchMembers(db: Database, userIds: readonly string[]): Promise<void> {
  await db
    .updateTable('members')
    .set({ last_seen_at: sql`now()` })
    .where('user_id', 'in', [...userIds])
    .execute();
}
