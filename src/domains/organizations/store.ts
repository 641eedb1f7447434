import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, sizeOfJson, type PageRequest } from '../../platform/api/pagination.ts';
import { joinableOrganizations, organizations, type OrganizationRow } from './policy.ts';
import type { NewOrganization, OrganizationPatch } from './schema.ts';

export async function insertOrganization(
  db: Database,
  input: Static<typeof NewOrganization>,
): Promise<string> {
  const id = newId();
  await db
    .insertInto('organizations')
    .values({
      id,
      title: input.title,
      email_domains: distinctDomains(input.emailDomains ?? []),
      type: input.type ?? 'business',
      use_case: input.useCase ?? null,
    })
    .execute();
  return id;
}

/** The given fields, and no others. */
export async function updateOrganization(
  db: Database,
  id: string,
  patch: Static<typeof OrganizationPatch>,
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  await db
    .updateTable('organizations')
    .set({
      version: sql`version + 1`,
      ...(patch.title === undefined ? {} : { title: patch.title }),
      ...(patch.emailDomains === undefined ? {} : { email_domains: distinctDomains(patch.emailDomains) }),
      ...(patch.hostname === undefined ? {} : { hostname: patch.hostname }),
      ...(patch.defaultRole === undefined ? {} : { default_role: patch.defaultRole }),
      ...(patch.defaultContent === undefined
        ? {}
        : { default_content: JSON.stringify(patch.defaultContent) }),
      ...(patch.logo === undefined ? {} : { logo: patch.logo }),
      ...(patch.sso === undefined ? {} : { sso: patch.sso }),
      ...(patch.ai === undefined ? {} : { ai: patch.ai }),
      ...(patch.inviteLinks === undefined ? {} : { invite_links: patch.inviteLinks }),
      ...(patch.mergeRules === undefined ? {} : { merge_rules: JSON.stringify(patch.mergeRules) }),
    })
    .where('id', '=', id)
    .execute();
}

export async function hasSite(db: Database, organizationId: string, siteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', siteId)
    // So that it is not deleted before this transaction refers to it.
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

const distinctDomains = (domains: readonly string[]) => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
];

export const getOrganization = (db: Database, callerId: string, id: string): Promise<OrganizationRow> =>
  visibleRows(db, organizations, callerId)
    .selectAll()
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();

export const listOrganizations = (db: Database, callerId: string, page: PageRequest) =>
  fetchPage(visibleRows(db, organizations, callerId).selectAll(), page, {
    by: ['created_at', 'organization_id'],
    direction: 'asc',
    key: (row: OrganizationRow) => [row.created_at.toISOString(), row.organization_id],
    size: { db, of: sql`${sizeOfJson('merge_rules')} + octet_length(array_to_string(email_domains, ''))` },
  });

/** The contract has no pages here, and anyone may add a domain to an organization of their own. */
const MAX_ORGANIZATIONS_OF_DOMAIN = 100;

/**
 * Organizations of an e-mail domain: for owners of a proven address in it, and for admins of the organization. The
 * caller's own first, then the oldest: later ones cannot displace them.
 */
export async function listOrganizationsOfDomain(
  db: Database,
  callerId: string,
  domain: string,
): Promise<(OrganizationRow & { readonly isMember: boolean })[]> {
  const name = domain.toLowerCase();
  // `@>`, unlike `any`, uses the index.
  const lists = sql<boolean>`email_domains @> array[${name}]`;
  const isOfDomain = sql<boolean>`exists (
    select from users u where u.id = ${callerId} and u.email_proven_at is not null
      and split_part(u.email, '@', -1) = ${name})`;
  const own = await visibleRows(db, organizations, callerId)
    .selectAll()
    .where(lists)
    .where(sql<boolean>`(role = 'admin' or ${isOfDomain})`)
    .orderBy('created_at')
    .orderBy('organization_id')
    .limit(MAX_ORGANIZATIONS_OF_DOMAIN)
    .execute();
  const others = await visibleRows(db, joinableOrganizations, callerId)
    .selectAll()
    .where(lists)
    .where(isOfDomain)
    .where(
      sql<boolean>`not exists (
        select from members m
        where m.organization_id = row.organization_id and m.user_id = ${callerId} and not m.disabled)`,
    )
    .orderBy('created_at')
    .orderBy('organization_id')
    .limit(MAX_ORGANIZATIONS_OF_DOMAIN - own.length)
    .execute();
  return [
    ...own.map((row) => ({ ...row, isMember: true })),
    ...others.map((row) => ({ ...row, isMember: false })),
  ].toSorted((a, b) => (a.organization_id < b.organization_id ? -1 : 1));
}

/** Organizations by id, as anybody may see them: without their settings and domains. */
export async function findPublicOrganizations(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, OrganizationRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<OrganizationRow>`
    select o.id as organization_id, o.title, '{}'::text[] as email_domains, o.hostname, o.type, null as use_case,
      null as community_type, null as default_role, null as default_content, o.logo, false as sso, false as ai,
      false as invite_links, '{"type": "none"}'::jsonb as merge_rules, o.version, o.created_at, null as role,
      false as owns_team
    from organizations o where o.id = any(${[...ids]})`.execute(db);
  return new Map(rows.map((row) => [row.organization_id, row]));
}

/** Lists all organizations, for the operator. */
export const listAllOrganizations = (db: Database) =>
  db
    .selectFrom('organizations as o')
    .select([
      'o.id',
      'o.title',
      sql<number>`(select count(*) from members m where m.organization_id = o.id and m.installation_id is null)`.as(
        'members',
      ),
    ])
    .orderBy('o.created_at')
    .orderBy('o.id')
    .execute();

export const organizationExists = async (db: Database, id: string): Promise<boolean> =>
  (await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
