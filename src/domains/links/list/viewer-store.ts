import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import type { Resource } from '../../../platform/api/resource.ts';
import { organizations, type OrganizationRow } from '../../organizations/index.ts';
import type { ContentRow } from '../../revisions/index.ts';
import { spaces, type SpaceRow } from '../../spaces/index.ts';

/** The targets outside of a space that a caller may view. */
export interface Viewer {
  readonly callerId: string;
  readonly organizationId: string;
  /** A guest sees no other users. */
  readonly isGuest: boolean;
  /** Ids of the spaces and collections of the organization that the caller may view, among the targets. */
  readonly spaces: readonly string[];
  readonly collections: readonly string[];
  /** Whether the space has targets outside at all. */
  readonly hasOutside: boolean;
  /** The public address of this platform, without a trailing slash. */
  readonly platform: string;
}

/** The spaces and collections that links of a space lead to. */
export interface Outside {
  readonly hasOutside: boolean;
  readonly spaces: readonly string[];
  readonly collections: readonly string[];
}

/** A space and its organization as the caller sees them, and what its links lead to. */
export interface Surroundings {
  readonly space: SpaceRow | undefined;
  readonly organization: OrganizationRow | undefined;
  readonly outside: Outside;
}

/** A row as JSON has it. */
type Json<R> = {
  readonly [K in keyof R]: R[K] extends Date ? string : R[K] extends Date | null ? string | null : R[K];
};

interface SurroundingRows {
  readonly space: Json<SpaceRow> | null;
  readonly organization: Json<OrganizationRow> | null;
  readonly outside: readonly { readonly space: string | null; readonly collection: string | null }[];
}

const visibleAsJson = ({ rows, key }: Resource, callerId: string, id: string) => sql`(
  select row_to_json(target) from (select ${callerId}::text as id) caller, lateral (${sql.raw(rows)}) target
  where target.${sql.ref(key)} = ${id})`;

/** Reads all in one statement: these rows are a third of the time of a list. */
export async function readSurroundings(
  db: Database,
  callerId: string,
  { space_id: spaceId, organization_id: organizationId }: Pick<ContentRow, 'space_id' | 'organization_id'>,
): Promise<Surroundings> {
  const { rows } = await sql<SurroundingRows>`
    select ${visibleAsJson(spaces, callerId, spaceId)} as space,
      ${visibleAsJson(organizations, callerId, organizationId)} as organization, coalesce((
        select json_agg(target) from (
          select distinct target_space_id as space, case kind when 'collection' then target_id end as collection
          from link_targets where space_id = ${spaceId} and broken is null) target), '[]') as outside`.execute(
    db,
  );
  const { space = null, organization = null, outside = [] } = rows[0] ?? {};
  return {
    space: space
      ? {
          ...space,
          created_at: new Date(space.created_at),
          updated_at: new Date(space.updated_at),
          deleted_at: space.deleted_at === null ? null : new Date(space.deleted_at),
        }
      : undefined,
    organization: organization
      ? { ...organization, created_at: new Date(organization.created_at) }
      : undefined,
    outside: {
      hasOutside: outside.length > 0,
      spaces: outside.flatMap((each) => each.space ?? []),
      collections: outside.flatMap((each) => each.collection ?? []),
    },
  };
}
