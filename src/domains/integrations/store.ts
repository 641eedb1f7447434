import { sql } from 'kysely';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Database } from '../../platform/database/connection.ts';
import { containing, visibleRows } from '../../platform/database/visible-rows.ts';
import { integrations, type IntegrationRow, type IntegrationScope } from './policy.ts';
import type { IntegrationQuery, Publication } from './schema.ts';

/** By name. Unlisted ones are listed for members of their organization only. */
export function listIntegrations(
  db: Database,
  callerId: string,
  query: IntegrationQuery,
  page: PageRequest,
  /** Private ones of other organizations are not for this one. */
  organizationId?: string,
) {
  let rows = visibleRows(db, integrations, callerId)
    .selectAll()
    .where((row) => row.or([row('visibility', '=', 'public'), row('role', 'is not', null)]));
  const { search, category, blockDomain, blocks, contentSources, owner, scope, target } = query;
  if (organizationId !== undefined)
    rows = rows.where((row) =>
      row.or([row('visibility', '<>', 'private'), row('owner_id', '=', organizationId)]),
    );
  if (search !== undefined) rows = rows.where(named(search));
  if (category !== undefined) rows = rows.where(sql<boolean>`${category} = any(categories)`);
  if (blockDomain !== undefined)
    rows = rows.where(sql<boolean>`${blockDomain.toLowerCase()} = any(block_hosts)`);
  if (blocks !== undefined) rows = rows.where(sql<boolean>`(blocks <> '[]') = ${blocks}`);
  if (contentSources !== undefined)
    rows = rows.where(sql<boolean>`(content_sources <> '[]') = ${contentSources}`);
  if (owner !== undefined) rows = rows.where('owner_id', '=', owner);
  if (scope !== undefined) rows = rows.where(sql<boolean>`${scope} = any(scopes)`);
  if (target !== undefined) rows = rows.where('target', 'in', [target, 'all']);
  return fetchPage(rows, page, byName(db));
}

/** Whether the name or the title of an integration contains a text. */
export const named = (search: string) =>
  sql<boolean>`(integration_name ilike ${containing(search)} or title ilike ${containing(search)})`;

export const byName = (db: Database) => ({
  by: ['integration_name'],
  direction: 'asc' as const,
  key: (row: IntegrationRow) => [row.integration_name],
  size: {
    db,
    of: sql<number>`pg_column_size(blocks) + pg_column_size(content_sources) + pg_column_size(configurations)`,
  },
});

export const findIntegrations = (db: Database, callerId: string, ids: readonly string[]) =>
  visibleRows(db, integrations, callerId)
    .selectAll()
    .where('integration_id', '=', sql<string>`any(${[...new Set(ids)]})`)
    .execute();

export const getIntegration = (db: Database, callerId: string, name: string): Promise<IntegrationRow> =>
  visibleRows(db, integrations, callerId)
    .selectAll()
    .where('integration_name', '=', name)
    .executeTakeFirstOrThrow();

interface Published {
  readonly name: string;
  readonly organizationId: string;
  readonly publication: Publication;
  readonly scopes: readonly IntegrationScope[];
  readonly blockHosts: readonly string[];
  readonly secretsSealed: Buffer;
  /** Of a new integration. */
  readonly signingSecretSealed: Buffer;
}

/**
 * The next version. Concurrent publications wait for each other's row, so that none is lost and no number is left out.
 * Undefined: another organization has the name, or this one in another spelling.
 */
export async function putIntegration(db: Database, published: Published) {
  const { name, organizationId, publication, scopes, blockHosts, secretsSealed } = published;
  const columns = {
    runtime: publication.runtime ?? 'v1',
    title: publication.title,
    description: publication.description,
    summary: publication.summary ?? null,
    visibility: publication.visibility ?? 'private',
    target: publication.target ?? 'all',
    scopes: [...scopes],
    categories: [...new Set(publication.categories)],
    blocks: JSON.stringify(publication.blocks ?? []),
    block_hosts: [...blockHosts],
    content_sources: JSON.stringify(publication.contentSources ?? []),
    external_links: JSON.stringify(publication.externalLinks ?? []),
    configurations: JSON.stringify(publication.configurations ?? {}),
    content_security_policy:
      publication.contentSecurityPolicy === undefined
        ? null
        : JSON.stringify(publication.contentSecurityPolicy),
    script: publication.script,
    secrets_sealed: secretsSealed,
  };
  return db
    .insertInto('integrations')
    .values({
      id: newId(),
      name,
      organization_id: organizationId,
      signing_secret_sealed: published.signingSecretSealed,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(name)`)
        .doUpdateSet({
          ...columns,
          version: sql`integrations.version + 1`,
          updated_at: sql<Date>`now()`,
        })
        .where('integrations.organization_id', '=', organizationId)
        .where('integrations.name', '=', name),
    )
    .returning(['id', 'version'])
    .executeTakeFirst();
}

export interface Image {
  readonly kind: 'icon' | 'preview';
  readonly position: number;
  readonly content: Buffer;
  readonly contentType: string;
}

export async function replaceImages(
  db: Database,
  integrationId: string,
  images: readonly Image[],
): Promise<void> {
  await db.deleteFrom('integration_images').where('integration_id', '=', integrationId).execute();
  if (images.length === 0) return;
  await db
    .insertInto('integration_images')
    .values(
      images.map(({ kind, position, content, contentType }) => ({
        id: newId(),
        integration_id: integrationId,
        kind,
        position,
        content,
        content_type: contentType,
      })),
    )
    .execute();
}

export const deleteIntegration = (db: Database, integrationId: string) =>
  db.deleteFrom('integrations').where('id', '=', integrationId).execute();

export const findImage = (db: Database, name: string, imageId: string) =>
  db
    .selectFrom('integration_images as i')
    .innerJoin('integrations as n', 'n.id', 'i.integration_id')
    .select(['i.content', 'i.content_type'])
    .where('i.id', '=', imageId)
    .where('n.name', '=', name)
    .executeTakeFirst();

export const integrationExists = async (db: Database, name: string): Promise<boolean> =>
  (await db.selectFrom('integrations').select('id').where('name', '=', name).executeTakeFirst()) !==
  undefined;
