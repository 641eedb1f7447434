import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Role } from './roles.ts';

/** The object of a grant. */
export type Subject =
  | { readonly space_id: string }
  | { readonly collection_id: string }
  | { readonly site_id: string };

export type Grantee = { readonly user_id: string } | { readonly team_id: string };

const columnsOf = (subject: Subject, grantee: Grantee) => ({
  space_id: 'space_id' in subject ? subject.space_id : null,
  collection_id: 'collection_id' in subject ? subject.collection_id : null,
  site_id: 'site_id' in subject ? subject.site_id : null,
  user_id: 'user_id' in grantee ? grantee.user_id : null,
  team_id: 'team_id' in grantee ? grantee.team_id : null,
});

const insertGrant = (db: Database, organizationId: string, subject: Subject, grantee: Grantee, role: Role) =>
  db
    .insertInto('grants')
    .values({ id: newId(), organization_id: organizationId, ...columnsOf(subject, grantee), role });

const GRANT_KEY = ['space_id', 'collection_id', 'site_id', 'user_id', 'team_id'] as const;

export async function putGrant(
  db: Database,
  organizationId: string,
  subject: Subject,
  grantee: Grantee,
  role: Role,
): Promise<void> {
  await insertGrant(db, organizationId, subject, grantee, role)
    .onConflict((conflict) => conflict.columns(GRANT_KEY).doUpdateSet({ role }))
    .execute();
}

/** Grants a role, unless the grantee has a higher one. */
export async function raiseGrant(
  db: Database,
  organizationId: string,
  subject: Subject,
  grantee: Grantee,
  role: Role,
): Promise<void> {
  await insertGrant(db, organizationId, subject, grantee, role)
    .onConflict((conflict) =>
      conflict.columns(GRANT_KEY).doUpdateSet({ role }).where('grants.role', '<', role),
    )
    .execute();
}

export async function updateGrant(
  db: Database,
  subject: Subject,
  grantee: Grantee,
  role: Role,
): Promise<void> {
  await db.updateTable('grants').set({ role }).where(matching(subject, grantee)).execute();
}

export async function deleteGrant(db: Database, subject: Subject, grantee: Grantee): Promise<void> {
  await db.deleteFrom('grants').where(matching(subject, grantee)).execute();
}

function matching(subject: Subject, grantee: Grantee) {
  const columns = Object.entries({ ...subject, ...grantee });
  return sql<boolean>`${sql.join(
    columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )}`;
}

/** The grants of a user in an organization, instead of those before. */
export async function replaceGrants(
  db: Database,
  organizationId: string,
  userId: string,
  grants: readonly { readonly subject: Subject; readonly role: Role }[],
): Promise<void> {
  await db
    .deleteFrom('grants')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  for (const { subject, role } of grants)
    await insertGrant(db, organizationId, subject, { user_id: userId }, role).execute();
}

/** The copy is visible to the same people as the original; installations are on the original only. */
export async function copySpaceGrants(db: Database, fromId: string, toId: string): Promise<void> {
  await sql`
    insert into grants (id, organization_id, space_id, user_id, team_id, role)
    select ${newId()} || row_number() over (), organization_id, ${toId}, user_id, team_id, role
    from grants g where space_id = ${fromId}
      and not exists (select from users u where u.id = g.user_id and u.is_installation)`.execute(db);
}

/** Before a transfer: deletes grants of teams, and of users who are not members of the new organization. */
export async function deleteForeignGrants(
  db: Database,
  subjects: readonly Subject[],
  toOrganizationId: string,
): Promise<void> {
  const spaceIds = subjects.flatMap((subject) => ('space_id' in subject ? [subject.space_id] : []));
  const collectionIds = subjects.flatMap((subject) =>
    'collection_id' in subject ? [subject.collection_id] : [],
  );
  await sql`
    delete from grants g
    where (g.space_id = any(${spaceIds}) or g.collection_id = any(${collectionIds}))
      and (g.team_id is not null or not exists (
        select from members m where m.organization_id = ${toOrganizationId} and m.user_id = g.user_id))`.execute(
    db,
  );
}
