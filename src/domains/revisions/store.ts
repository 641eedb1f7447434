import { sql } from 'kysely';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import {
  fetchPage,
  MAX_DOCUMENT_BYTES,
  sizeOfJson,
  type PageRequest,
} from '../../platform/api/pagination.ts';
import { insertEvents } from '../events/index.ts';
import { lockSpace } from '../spaces/index.ts';
import type { GitCommit, MergedFrom, RevisionType } from './policy.ts';

/** The rows of revisions, and which of them a space shows. `storage/` has their content. */

export type Primary = {
  readonly edit_mode: 'live' | 'locked';
  readonly store_id: string;
  readonly revision_id: string;
  readonly root: Buffer | null;
  readonly parents: string[];
};

const primary = (db: Database, spaceId: string) =>
  db
    .selectFrom('spaces as s')
    .innerJoin('revisions as rv', 'rv.id', 's.revision_id')
    .select([sql<Primary['edit_mode']>`s.edit_mode`.as('edit_mode'), 's.store_id', 's.revision_id'])
    .select(['rv.root', 'rv.parents'])
    .where('s.id', '=', spaceId)
    .where('s.deleted_at', 'is', null);

/** The revision that a space shows now. */
export const findPrimary = (db: Database, spaceId: string): Promise<Primary> =>
  primary(db, spaceId).executeTakeFirstOrThrow();

/** The revision that a space shows now, locked until the transaction ends. */
export async function lockPrimary(db: Database, spaceId: string): Promise<Primary> {
  await lockSpace(db, spaceId);
  return findPrimary(db, spaceId);
}

export interface NewRevision {
  readonly id: string;
  readonly type: RevisionType;
  readonly parents: readonly string[];
  /** The root of its map. Null: it is empty. */
  readonly root: Buffer | null;
  readonly authorId: string | undefined;
  readonly git?: GitCommit | undefined;
  readonly mergedFrom?: MergedFrom | undefined;
}

/** A revision that a change request proposes, or that was only imported. It is not part of the history. */
export async function insertProposedRevision(
  db: Database,
  spaceId: string,
  revision: NewRevision,
): Promise<void> {
  const { id, type, parents, root, authorId, git } = revision;
  await db
    .insertInto('revisions')
    .values({
      id,
      space_id: spaceId,
      type,
      parents: [...parents],
      root,
      author_id: authorId ?? null,
      git: git ? JSON.stringify(git) : null,
    })
    .execute();
}

const CONTENT_UPDATED = insertEvents('space_content_updated', {
  organizationId: sql`organization_id`,
  spaceId: sql`space_id`,
  data: { revisionId: sql`next.id`, previousRevisionId: sql`next.parents[1]` },
  from: sql`from next, moved order by ordinal`,
});

/**
 * Inserts revisions, each based on the one before it, and makes the last one the primary revision. Call `lockPrimary`
 * first, in the same transaction.
 */
export async function insertPrimaryRevisions(
  db: Database,
  spaceId: string,
  revisions: readonly NewRevision[],
): Promise<void> {
  const rows = revisions.map(({ id, type, parents, root, authorId, git, mergedFrom }, index) => ({
    ordinal: index + 1,
    id,
    type,
    parents,
    root: root?.toString('hex'),
    author_id: authorId,
    git,
    merged_from: mergedFrom,
  }));
  await sql`${PIPELINED}
    with next as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as next (ordinal int, id text, type text,
        parents text[], root text, author_id text, git jsonb, merged_from jsonb)
    ), moved as (
      update spaces set revision_id = ${revisions.at(-1)?.id}, sequence = sequence + ${rows.length}, updated_at = now()
      where id = ${spaceId} returning id as space_id, sequence - ${rows.length} as sequence, organization_id
    ), event as (
      ${CONTENT_UPDATED}
    )
    insert into revisions (id, space_id, type, parents, root, author_id, git, merged_from, sequence)
    select id, space_id, type, parents, decode(root, 'hex'), author_id, git, merged_from, sequence + ordinal
    from next, moved`.execute(db);
}

export interface HistoryRow {
  readonly space_id: string;
  readonly revision_id: string;
  readonly parents: string[];
  readonly type: RevisionType;
  readonly git: GitCommit | null;
  readonly merged_from: MergedFrom | null;
  readonly author_id: string | null;
  readonly revision_created_at: Date;
  readonly sequence: number;
}

/** The primary revisions of a space, the latest first. */
export function listHistory(db: Database, spaceId: string, page: PageRequest) {
  const rows = db
    .selectFrom('revisions')
    .select([
      'space_id',
      'id as revision_id',
      'parents',
      'type',
      'git',
      'merged_from',
      'author_id',
      'sequence',
    ])
    .select('created_at as revision_created_at')
    .where('space_id', '=', spaceId)
    .where('sequence', 'is not', null)
    .$castTo<HistoryRow>();
  return fetchPage(rows, page, {
    by: ['sequence'],
    direction: 'desc',
    key: (row) => [row.sequence],
    // A merged change request is stored with its description.
    size: { db, of: sizeOfJson('merged_from'), max: MAX_DOCUMENT_BYTES },
  });
}

/** The root of another revision of the same space; undefined where there is none. */
export async function findRoot(
  db: Database,
  spaceId: string,
  revisionId: string,
): Promise<{ root: Buffer | null } | undefined> {
  return db
    .selectFrom('revisions')
    .select('root')
    .where('space_id', '=', spaceId)
    .where('id', '=', revisionId)
    .executeTakeFirst();
}

/** The commit that a revision was exported as. */
export async function setCommit(db: Database, revisionId: string, git: GitCommit): Promise<void> {
  await db
    .updateTable('revisions')
    .set({ git: JSON.stringify(git) })
    .where('id', '=', revisionId)
    .execute();
}

/** Whether a user views the specifications of the organization of a space: `openapiSpecs` in SQL. */
export async function mayViewSpecs(db: Database, spaceId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from members m join spaces s on s.organization_id = m.organization_id
    where s.id = ${spaceId} and m.user_id = ${userId} and coalesce(m.role, m.specs_role) is not null`.execute(
    db,
  );
  return rows.length > 0;
}
