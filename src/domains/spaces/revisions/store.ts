import { sql } from 'kysely';
import { PIPELINED } from '../../../platform/database/client.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import type { UserColumns } from '../../users/index.ts';

/** The revisions of spaces, and which of them a space shows. What they hold is the content's affair. */

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed';

/** A change request as it was when it was merged, but for addresses: the configuration may change those. */
export interface MergedFrom {
  readonly id: string;
  readonly createdBy: UserColumns;
  readonly [member: string]: unknown;
}

export interface GitCommit {
  readonly oid: string;
  readonly message: string;
  readonly createdByService: boolean;
  readonly url?: string;
  readonly ref?: string;
}

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

/** What a space shows now. */
export const findPrimary = (db: Database, spaceId: string): Promise<Primary> =>
  primary(db, spaceId).executeTakeFirstOrThrow();

/** Operations that lock a space wait under this key. */
export const queueOfSpace = ({ spaceId }: { readonly spaceId: string }): string => `space:${spaceId}`;

/** What a space shows stays so until the transaction ends. What it is must be read after this: it may have been moved. */
export async function lockSpace(db: Database, spaceId: string): Promise<void> {
  await sql`${PIPELINED} select from spaces where id = ${spaceId} for no key update`.execute(db);
}

/** What a space shows now, and it stays so until the transaction ends. */
export async function lockPrimary(db: Database, spaceId: string): Promise<Primary> {
  await lockSpace(db, spaceId);
  return findPrimary(db, spaceId);
}

export interface NewRevision {
  readonly id: string;
  readonly type: RevisionType;
  readonly parents: readonly string[];
  /** Of the map of what it holds; null: nothing. */
  readonly root: Buffer | null;
  readonly authorId: string | undefined;
  readonly git?: GitCommit | undefined;
  readonly mergedFrom?: MergedFrom | undefined;
}

/** A revision of a change request: not of the history. */
export async function insertRevision(db: Database, spaceId: string, revision: NewRevision): Promise<void> {
  const { id, type, parents, root, authorId } = revision;
  await db
    .insertInto('revisions')
    .values({ id, space_id: spaceId, type, parents: [...parents], root, author_id: authorId ?? null })
    .execute();
}

/**
 * Inserts revisions, each made of the one before it, and makes the last the primary one. `lockPrimary` was called in the
 * same transaction.
 */
export async function moveTo(
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
      where id = ${spaceId} returning sequence - ${rows.length} as sequence, organization_id
    ), event as (
      insert into events (organization_id, space_id, type, data)
      select organization_id, ${spaceId}, 'space_content_updated',
        jsonb_build_object('revisionId', next.id, 'previousRevisionId', next.parents[1])
      from next, moved order by ordinal
    )
    insert into revisions (id, space_id, type, parents, root, author_id, git, merged_from, sequence)
    select id, ${spaceId}, type, parents, decode(root, 'hex'), author_id, git, merged_from, sequence + ordinal
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

/** What was the primary content, the latest first. */
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
    .where('sequence', 'is not', null) as never;
  return fetchPage<never, never, HistoryRow>(rows, page, {
    by: ['sequence'],
    direction: 'desc',
    key: (row) => [row.sequence],
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

/** Where the content of a space lies, deleted or not. */
export async function findStore(db: Database, spaceId: string): Promise<string | undefined> {
  const row = await db.selectFrom('spaces').select('store_id').where('id', '=', spaceId).executeTakeFirst();
  return row?.store_id;
}

/** Where its content lies from now on. */
export async function setStore(db: Database, spaceId: string, storeId: string): Promise<void> {
  await db.updateTable('spaces').set({ store_id: storeId }).where('id', '=', spaceId).execute();
}
