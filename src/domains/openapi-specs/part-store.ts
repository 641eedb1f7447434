import type { WantedPart } from '../../content-engine/evaluation/index.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Part } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';

/** A part as the list of a specification shows it. */
export interface PartSummary {
  readonly kind: Part['kind'];
  readonly name: string;
  readonly operation_id: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

export interface PartRow extends PartSummary {
  /** JSON, compressed by gzip. */
  readonly view: Buffer;
}

/** Parts of one statement, which has its bytes in memory more than once. */
const MAX_INSERTED = 500;

/** The parts of the latest version, if they are those of an earlier one. Returns whether they were replaced. */
export async function replaceParts(
  db: Database,
  specId: string,
  parts: readonly PartRow[],
): Promise<boolean> {
  const { rows } = await sql`
    update openapi_specs s set shown_version_id = v.id
    from (select id from openapi_spec_versions where spec_id = ${specId} order by number desc limit 1) v
    where s.id = ${specId} and s.shown_version_id is distinct from v.id
    returning s.id`.execute(db);
  if (rows.length === 0) return false;
  await db.deleteFrom('openapi_spec_parts').where('spec_id', '=', specId).execute();
  for (let from = 0; from < parts.length; from += MAX_INSERTED) {
    const some = parts.slice(from, from + MAX_INSERTED);
    await db
      .insertInto('openapi_spec_parts')
      .values(
        some.map((part, index) => ({
          ...part,
          tags: [...part.tags],
          spec_id: specId,
          position: from + index,
        })),
      )
      .execute();
  }
  return true;
}

/** A specification as pages refer to it. */
export interface ShownSpec {
  readonly id: string;
  readonly slug: string;
  readonly source_url: string | null;
  /** The version of its parts; null: it has not been read yet. */
  readonly shown_version_id: string | null;
}

export const findSpecBySlug = (
  db: Database,
  organizationId: string,
  slug: string,
): Promise<ShownSpec | undefined> =>
  db
    .selectFrom('openapi_specs')
    .select(['id', 'slug', 'source_url', 'shown_version_id'])
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst();

/** The parts of a specification in its order, without their views. */
export const listParts = (db: Database, specId: string): Promise<PartSummary[]> =>
  db
    .selectFrom('openapi_spec_parts')
    .select(['kind', 'name', 'operation_id', 'title', 'description', 'tags', 'deprecated'])
    .where('spec_id', '=', specId)
    .orderBy('position')
    .execute() as Promise<PartSummary[]>;

export interface StoredPart {
  /** The index of what was wanted. */
  readonly index: number;
  readonly slug: string;
  /** Null: the specification has no such part. */
  readonly view: Buffer | null;
}

/** Parts by name, in one statement. Those of specifications that the organization does not have are absent. */
export async function findParts(
  db: Database,
  organizationId: string,
  wanted: readonly WantedPart[],
): Promise<StoredPart[]> {
  const columns = wanted.map(({ spec, kind, name }, index) => ({ index, ...spec, kind, name }));
  const { rows } = await sql<StoredPart>`
    select w.index, s.slug, p.view
    from jsonb_to_recordset(${JSON.stringify(columns)}::jsonb) as w(index integer, slug text, url text, kind text, name text)
    join lateral (
      select id, slug from openapi_specs
      where organization_id = ${organizationId} and (slug = w.slug or source_url = w.url)
      order by created_at, id limit 1
    ) s on true
    left join openapi_spec_parts p on p.spec_id = s.id and p.kind = w.kind and p.name = w.name
    order by w.index`.execute(db);
  return rows;
}

/** An expression that changes with everything that pages show of the specifications of an organization. */
export const specificationsState = (organizationId: RawBuilder<unknown>): RawBuilder<string> => sql<string>`
  (select md5(coalesce(string_agg(concat_ws(' ', o.slug, o.shown_version_id, o.source_url), ' ' order by o.id), ''))
  from openapi_specs o where o.organization_id = ${organizationId})`;

export async function readSpecificationsState(db: Database, organizationId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select ${specificationsState(sql`${organizationId}`)} as state`.execute(db);
  return rows[0]?.state ?? '';
}
