import { sql } from 'kysely';
import { newId } from '../../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import type { IntegrationScope } from '../policy.ts';
import { named } from '../store.ts';
import { installations, type InstallationRow } from './policy.ts';
import type { InstallationPatch } from './schema.ts';

const byAge = {
  by: ['created_at', 'installation_id'],
  direction: 'asc',
  key: (row: InstallationRow) => [row.created_at.toISOString(), row.installation_id],
} as const;

export function listInstallations(
  db: Database,
  callerId: string,
  of: { readonly integrationId: string } | { readonly organizationId: string },
  { externalId, search }: { readonly externalId?: string; readonly search?: string },
  page: PageRequest,
) {
  let rows = visibleRows(db, installations, callerId).selectAll();
  rows =
    'integrationId' in of
      ? rows.where('integration_id', '=', of.integrationId)
      : rows.where('organization_id', '=', of.organizationId).where('role', 'is not', null);
  if (externalId !== undefined) rows = rows.where(sql<boolean>`external_ids @> array[${externalId}]`);
  if (search !== undefined) rows = rows.where(named(search));
  return fetchPage(rows, page, {
    ...byAge,
    size: { db, of: sql`pg_column_size(configuration) + pg_column_size(configurations)` },
  });
}

/** Those with an installation on a space or site of the organization. */
export function listInstalledOn(
  db: Database,
  callerId: string,
  organizationId: string,
  target: 'organization' | 'space' | 'site',
  page: PageRequest,
) {
  let rows = visibleRows(db, installations, callerId)
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('role', 'is not', null);
  if (target === 'space') rows = rows.where(isOn('space'));
  if (target === 'site') rows = rows.where(isOn('site'));
  return fetchPage(rows, page, byAge);
}

const isOn = (kind: 'space' | 'site') =>
  sql<boolean>`(${sql.ref(`${kind}_selection`)} = 'all' or exists (
    select from ${sql.table(`integration_${kind}_installations`)} ci where ci.installation_id = row.installation_id))`;

export const getInstallation = (db: Database, callerId: string, id: string): Promise<InstallationRow> =>
  visibleRows(db, installations, callerId)
    .selectAll()
    .where('installation_id', '=', id)
    .executeTakeFirstOrThrow();

interface NewInstallation {
  readonly integrationId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly scopes: readonly IntegrationScope[];
}

/** The id; undefined if it is installed already. */
export async function insertInstallation(db: Database, given: NewInstallation): Promise<string | undefined> {
  const inserted = await db
    .insertInto('integration_installations')
    .values({
      id: newId(),
      integration_id: given.integrationId,
      organization_id: given.organizationId,
      user_id: given.userId,
      scopes: [...given.scopes],
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'integration_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export async function updateInstallation(
  db: Database,
  id: string,
  { externalIds, configuration, space_selection, site_selection, scopes, status }: InstallationPatch,
): Promise<void> {
  await db
    .updateTable('integration_installations')
    .set({
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
      ...(externalIds && { external_ids: [...externalIds] }),
      ...(configuration && { configuration: JSON.stringify(configuration) }),
      ...(space_selection && { space_selection }),
      ...(site_selection && { site_selection }),
      ...(scopes && { scopes: [...scopes] }),
      ...(status && { is_paused: status === 'paused' }),
    })
    .where('id', '=', id)
    .execute();
}

/** Locked, so that what changes together in one installation is not mixed. */
export const lockInstallation = (db: Database, id: string) =>
  db
    .selectFrom('integration_installations')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

export const deleteInstallation = (db: Database, id: string) =>
  db.deleteFrom('integration_installations').where('id', '=', id).execute();

/** What roles and grants of an installation follow from. */
export async function findCoverage(db: Database, id: string) {
  return db
    .selectFrom('integration_installations as i')
    .innerJoin('integrations as n', 'n.id', 'i.integration_id')
    .select(['i.id', 'i.organization_id', 'i.user_id', 'i.space_selection', 'i.site_selection'])
    .select([
      sql<IntegrationScope[]>`array(select unnest(i.scopes) intersect select unnest(n.scopes))`.as('scopes'),
      sql<
        string[]
      >`array(select space_id from integration_space_installations si where si.installation_id = i.id)`.as(
        'space_ids',
      ),
      sql<
        string[]
      >`array(select site_id from integration_site_installations si where si.installation_id = i.id)`.as(
        'site_ids',
      ),
    ])
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Installations that had accepted a scope which the integration no longer asks for. */
export async function listOverScoped(db: Database, integrationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('integration_installations as i')
    .innerJoin('integrations as n', 'n.id', 'i.integration_id')
    .select('i.id')
    .where('n.id', '=', integrationId)
    .where(sql<boolean>`not i.scopes <@ n.scopes`)
    .orderBy('i.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** They do not come back with a later version. */
export async function dropScopes(db: Database, installationId: string): Promise<void> {
  await sql`
    update integration_installations i set scopes = array(select unnest(i.scopes) intersect select unnest(n.scopes))
    from integrations n where n.id = i.integration_id and i.id = ${installationId}`.execute(db);
}
