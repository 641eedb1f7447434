import { sql } from 'kysely';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { openapiSpecs, specVersions, type SpecRow, type SpecVersionRow } from './policy.ts';

/** What a specification is read from. */
export type Source = { readonly url: string } | { readonly text: string };

const columnsOf = (source: Source) => ({
  source_url: 'url' in source ? source.url : null,
  source_text: 'text' in source ? source.text : null,
});

export const listSpecs = (db: Database, callerId: string, organizationId: string, page: PageRequest) =>
  fetchPage(
    visibleRows(db, openapiSpecs, callerId).selectAll().where('organization_id', '=', organizationId),
    page,
    {
      by: ['created_at', 'spec_id'],
      direction: 'asc',
      key: (row: SpecRow) => [row.created_at.toISOString(), row.spec_id],
    },
  );

const specBySlug = (db: Database, callerId: string, organizationId: string, slug: string) =>
  visibleRows(db, openapiSpecs, callerId)
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('spec_slug', '=', slug);

/** Undefined: there is none that the caller may view. */
export const findSpec = (...of: Parameters<typeof specBySlug>): Promise<SpecRow | undefined> =>
  specBySlug(...of).executeTakeFirst();

export const getSpec = (...of: Parameters<typeof specBySlug>): Promise<SpecRow> =>
  specBySlug(...of).executeTakeFirstOrThrow();

/** False if the organization has a specification with this slug. */
export async function insertSpec(
  db: Database,
  organizationId: string,
  slug: string,
  source: Source,
): Promise<boolean> {
  const inserted = await db
    .insertInto('openapi_specs')
    .values({ id: newId(), organization_id: organizationId, slug, ...columnsOf(source) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'slug']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function updateSource(
  db: Database,
  organizationId: string,
  slug: string,
  source: Source,
): Promise<void> {
  await db
    .updateTable('openapi_specs')
    .set({
      ...columnsOf(source),
      source_number: sql`source_number + 1`,
      processing_state: 'pending',
      etag: null,
      last_modified: null,
      failures: 0,
      next_read_at: sql<Date>`now()`,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
}

export async function updateVisibility(
  db: Database,
  specId: string,
  visibility: SpecRow['visibility'],
): Promise<void> {
  await db
    .updateTable('openapi_specs')
    .set({ visibility, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', specId)
    .execute();
}

export const deleteSpec = (db: Database, specId: string) =>
  db.deleteFrom('openapi_specs').where('id', '=', specId).execute();

/** The latest first. */
export const listVersions = (
  db: Database,
  callerId: string,
  { organization_id: organizationId, spec_slug: slug }: SpecRow,
  page: PageRequest,
) =>
  fetchPage(
    visibleRows(db, specVersions, callerId)
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('spec_slug', '=', slug),
    page,
    {
      by: ['created_at', 'openapi_version_id'],
      direction: 'desc',
      key: (row: SpecVersionRow) => [row.created_at.toISOString(), row.openapi_version_id],
    },
  );

export const getVersion = (db: Database, callerId: string, versionId: string): Promise<SpecVersionRow> =>
  visibleRows(db, specVersions, callerId)
    .selectAll()
    .where('openapi_version_id', '=', versionId)
    .executeTakeFirstOrThrow();

/** JSON, compressed by gzip. */
export async function findDocument(db: Database, versionId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('openapi_spec_versions')
    .select('document')
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row?.document;
}

/** The latest version of a specification that anybody may download. */
export async function findPublicDocument(
  db: Database,
  organizationId: string,
  slug: string,
): Promise<{ readonly id: string; readonly document: Buffer } | undefined> {
  return db
    .selectFrom('openapi_specs as s')
    .innerJoin('openapi_spec_versions as v', 'v.spec_id', 's.id')
    .select(['v.id', 'v.document'])
    .where('s.organization_id', '=', organizationId)
    .where('s.slug', '=', slug)
    .where('s.visibility', '=', 'public')
    .orderBy('v.number', 'desc')
    .executeTakeFirst();
}
