import { sql } from 'kysely';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { integrations } from '../policy.ts';
import { byName, named } from '../store.ts';
import { siteInstallations, spaceInstallations, type ContentInstallationRow } from './policy.ts';
import type { ContentInstallationPatch } from './schema.ts';

/** What an installation is on, besides the organization. */
export type ContentKind = 'space' | 'site';

const RESOURCES = { space: spaceInstallations, site: siteInstallations } as const;
const TABLES = { space: 'integration_space_installations', site: 'integration_site_installations' } as const;

export function listContentInstallations(
  db: Database,
  callerId: string,
  kind: ContentKind,
  of: { readonly integrationId: string } | { readonly installationId: string },
  externalId: string | undefined,
  page: PageRequest,
) {
  let rows = visibleRows(db, RESOURCES[kind], callerId).selectAll();
  rows =
    'integrationId' in of
      ? rows.where('integration_id', '=', of.integrationId)
      : rows.where('installation_id', '=', of.installationId);
  if (externalId !== undefined) rows = rows.where(sql<boolean>`external_ids @> array[${externalId}]`);
  return fetchPage(rows, page, {
    by: ['created_at', 'installation_id', 'content_id'],
    direction: 'asc',
    key: (row: ContentInstallationRow) => [row.created_at.toISOString(), row.installation_id, row.content_id],
    size: { db, of: sql`pg_column_size(configuration) + pg_column_size(configurations)` },
  });
}

/** The integrations that cover a space or site, as far as the caller may view them. */
export function listOnContent(
  db: Database,
  callerId: string,
  kind: ContentKind,
  { id, organization }: { readonly id: string; readonly organization: string },
  search: string | undefined,
  page: PageRequest,
) {
  let rows = visibleRows(db, integrations, callerId)
    .selectAll()
    .where(
      sql<boolean>`exists (
        select from integration_installations i
        where i.integration_id = row.integration_id and i.organization_id = ${organization}
          and (i.${sql.ref(`${kind}_selection`)} = 'all' or exists (
            select from ${sql.table(TABLES[kind])} ci
            where ci.installation_id = i.id and ci.${sql.ref(`${kind}_id`)} = ${id})))`,
    );
  if (search !== undefined) rows = rows.where(named(search));
  return fetchPage(rows, page, byName(db));
}

export const getContentInstallation = (
  db: Database,
  callerId: string,
  kind: ContentKind,
  installationId: string,
  contentId: string,
): Promise<ContentInstallationRow> =>
  visibleRows(db, RESOURCES[kind], callerId)
    .selectAll()
    .where('installation_id', '=', installationId)
    .where('content_id', '=', contentId)
    .executeTakeFirstOrThrow();

/** False if it is installed there already. */
export async function insertContentInstallation(
  db: Database,
  kind: ContentKind,
  installationId: string,
  contentId: string,
): Promise<boolean> {
  const inserted =
    kind === 'space'
      ? db
          .insertInto('integration_space_installations')
          .values({ installation_id: installationId, space_id: contentId })
      : db
          .insertInto('integration_site_installations')
          .values({ installation_id: installationId, site_id: contentId });
  const { numInsertedOrUpdatedRows } = await inserted
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The row of a space or site, in a statement that changes it. */
const isRow = (kind: ContentKind, row: ContentInstallationRow) =>
  sql<boolean>`installation_id = ${row.installation_id} and ${sql.ref(`${kind}_id`)} = ${row.content_id}`;

export async function updateContentInstallation(
  db: Database,
  kind: ContentKind,
  row: ContentInstallationRow,
  { externalIds, configuration }: ContentInstallationPatch,
): Promise<void> {
  const changes = {
    version: sql<number>`version + 1`,
    updated_at: sql<Date>`now()`,
    ...(externalIds && { external_ids: [...externalIds] }),
    ...(configuration && { configuration: JSON.stringify(configuration) }),
  };
  const changed =
    kind === 'space'
      ? db.updateTable('integration_space_installations').set(changes).where(isRow(kind, row))
      : db.updateTable('integration_site_installations').set(changes).where(isRow(kind, row));
  await changed.execute();
}

export async function deleteContentInstallation(
  db: Database,
  kind: ContentKind,
  row: ContentInstallationRow,
): Promise<void> {
  const deleted =
    kind === 'space'
      ? db.deleteFrom('integration_space_installations').where(isRow(kind, row))
      : db.deleteFrom('integration_site_installations').where(isRow(kind, row));
  await deleted.execute();
}
