import { createOrganizationWithAdmin, insertMember } from '../src/domains/members/index.ts';
import { insertToken, insertUser } from '../src/domains/users/index.ts';
import { newId } from '../src/platform/api/ids.ts';
import { ROLES, type Role } from '../src/domains/access/index.ts';
import type { TestApp } from './app.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

/** An organization with a member of every role. */
export interface Side {
  readonly name: string;
  readonly organizationId: string;
  readonly admin: Person;
  readonly people: Readonly<Record<Role | 'guest', Person>>;
}

/** Two organizations with the same content. Nothing of one may be visible in the other. */
export interface World {
  readonly test: TestApp;
  readonly a: Side;
  readonly b: Side;
  /** A user without any organization. */
  readonly stranger: Person;
}

export async function aWorld(test: TestApp): Promise<World> {
  return {
    test,
    a: await aSide(test, 'alpha'),
    b: await aSide(test, 'beta'),
    stranger: await aPerson(test, 'stranger'),
  };
}

export async function aPerson(test: TestApp, name: string, domain = 'people.example'): Promise<Person> {
  const { db } = test.app.installation.connection;
  const email = `${name}-${newId().toLowerCase()}@${domain}`;
  const id = (await insertUser(db, { email, displayName: name, isProven: true })) ?? '';
  const { token } = await insertToken(db, id, { label: 'Test' });
  return { id, email, token };
}

export async function aMember(
  test: TestApp,
  organizationId: string,
  role: Role | null,
  name = 'member',
): Promise<Person> {
  const person = await aPerson(test, name);
  await insertMember(test.app.installation.connection.db, { organizationId, userId: person.id, role });
  return person;
}

export async function aSide(test: TestApp, name: string): Promise<Side> {
  const admin = await aPerson(test, `${name}-admin`);
  const organizationId = await createOrganizationWithAdmin(
    test.app.installation.connection.db,
    { title: `${name} marker-${name}`, emailDomains: [`${name}.example`] },
    admin.id,
  );
  const people: Partial<Record<Role | 'guest', Person>> = { admin };
  for (const role of [...ROLES.filter((each) => each !== 'admin'), 'guest'] as const) {
    people[role] = await aMember(test, organizationId, role === 'guest' ? null : role, `${name}-${role}`);
  }
  return { name, organizationId, admin, people: people as Side['people'] };
}

/** Grants a member of the organization a role on spaces, collections and sites, directly in the database. */
export async function grantOn(
  test: TestApp,
  person: Person,
  role: Role,
  spaceIds: readonly string[],
  collectionIds: readonly string[] = [],
  siteIds: readonly string[] = [],
): Promise<void> {
  await test.sql(
    `insert into grants (id, organization_id, space_id, collection_id, site_id, user_id, role)
     select md5($1 || o.id), o.organization_id, o.space_id, o.collection_id, o.site_id, $1, $2::role from (
       select id, organization_id, id as space_id, null as collection_id, null as site_id from spaces
       where id = any($3)
       union all
       select id, organization_id, null, id, null from collections where id = any($4)
       union all
       select id, organization_id, null, null, id from sites where id = any($5)) o
     on conflict (space_id, collection_id, site_id, user_id, team_id) do update set role = excluded.role`,
    [person.id, role, spaceIds, collectionIds, siteIds],
  );
}
