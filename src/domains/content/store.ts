import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { hashFromBytes, hashToBytes, type Hash } from '../../content-engine/map/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { fetchPage, type PageRequest } from '../../platform/pagination.ts';
import type { ContentRow, GitCommit, MergedFrom, RevisionType } from './policy.ts';

/** The bytes behind hashes, in the order asked; undefined where the store has none. */
export async function readObjects(
  db: Database,
  storeId: string,
  hashes: readonly Hash[],
): Promise<(Uint8Array | undefined)[]> {
  const rows = await db
    .selectFrom('content_objects')
    .select(['hash', 'bytes'])
    .where('store_id', '=', storeId)
    .where('hash', '=', sql<Buffer>`any(${hashes.map(hashToBytes)}::bytea[])`)
    .execute();
  const found = new Map(rows.map((row) => [hashFromBytes(row.hash), inflateRawSync(row.bytes)]));
  return hashes.map((hash) => found.get(hash));
}

/** What was written so long ago may be collected; being written again makes it new (see `jobs.ts`). */
const RENEW_AFTER = sql`interval '12 hours'`;

/** Objects that are there already are left alone: equal hashes are equal bytes. */
export async function writeObjects(
  db: Database,
  storeId: string,
  objects: ReadonlyMap<Hash, Uint8Array>,
): Promise<void> {
  if (objects.size === 0) return;
  // In one order everywhere, so that two who write the same do not wait for each other in a circle.
  const sorted = [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hashes = sorted.map(([hash]) => hashToBytes(hash));
  const bytes = sorted.map(([, each]) => deflateRawSync(each));
  await sql`
    insert into content_objects as there (store_id, hash, bytes)
    select ${storeId}, * from unnest(${hashes}::bytea[], ${bytes}::bytea[])
    on conflict (store_id, hash) do update set written_at = now()
      where there.written_at < now() - ${RENEW_AFTER}`.execute(db);
}

type Primary = Pick<ContentRow, 'store_id' | 'revision_id' | 'root' | 'parents'>;

const primary = (db: Database, spaceId: string) =>
  db
    .selectFrom('spaces as s')
    .innerJoin('revisions as rv', 'rv.id', 's.revision_id')
    .select(['s.store_id', 's.revision_id', 'rv.root', 'rv.parents'])
    .where('s.id', '=', spaceId)
    .where('s.deleted_at', 'is', null);

/** What a space shows now. */
export const findPrimary = (db: Database, spaceId: string): Promise<Primary> =>
  primary(db, spaceId).executeTakeFirstOrThrow();

/** The same, and it stays so until the transaction ends. */
export async function lockPrimary(db: Database, spaceId: string): Promise<Primary> {
  const locked = await primary(db, spaceId).forUpdate('s').executeTakeFirst();
  // Whoever moved it while we waited made the two rows no longer match. Now it stands still.
  return locked ?? primary(db, spaceId).forUpdate('s').executeTakeFirstOrThrow();
}

export interface NewRevision {
  readonly id: string;
  readonly spaceId: string;
  readonly type: RevisionType;
  readonly parents: readonly string[];
  readonly root: Hash | undefined;
  readonly authorId: string | undefined;
  readonly git?: GitCommit | undefined;
  readonly mergedFrom?: object | undefined;
}

/** A revision of a change request: not of the history. */
export async function insertRevision(db: Database, revision: NewRevision): Promise<void> {
  const { id, spaceId, type, parents, root, authorId } = revision;
  await db
    .insertInto('revisions')
    .values({
      id,
      space_id: spaceId,
      type,
      parents: [...parents],
      root: root === undefined ? null : hashToBytes(root),
      author_id: authorId ?? null,
    })
    .execute();
}

/** Inserts a revision and makes it the primary one. `lockPrimary` was called in the same transaction. */
export async function moveTo(db: Database, revision: NewRevision): Promise<Date> {
  const { id, spaceId, type, parents, root, authorId, git, mergedFrom } = revision;
  const { rows } = await sql<{ created_at: Date }>`
    with moved as (
      update spaces set revision_id = ${id}, sequence = sequence + 1, updated_at = now()
      where id = ${spaceId} returning sequence
    )
    insert into revisions (id, space_id, type, parents, root, author_id, git, merged_from, sequence)
    select ${id}, ${spaceId}, ${type}, ${[...parents]}, ${root === undefined ? null : hashToBytes(root)},
      ${authorId ?? null}, ${git ? JSON.stringify(git) : null}::jsonb,
      ${mergedFrom ? JSON.stringify(mergedFrom) : null}::jsonb, sequence from moved
    returning created_at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The space ${spaceId} is gone while it was written to`);
  return row.created_at;
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
