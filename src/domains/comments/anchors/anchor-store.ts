import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import type { TargetCell, TargetNode } from '../policy.ts';
import type { Place } from '../store/store.ts';

/** Anchors: the blocks that comments are on. */

export interface Anchored {
  readonly comment_id: string;
  readonly page_id: string;
  readonly node: TargetNode;
  readonly table_cell: TargetCell | null;
  readonly outdated: boolean;
}

/** Those of the spaces that have a comment on a block. */
export async function listSpacesWithAnchors(db: Database, spaceIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${[...spaceIds]}::text[]) asked (id) where exists (
      select from comments k where k.space_id = asked.id and k.page is not null and k.node is not null)`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Anchors that an event may move. Those that were posted or moved after it, or moved by it, are up to date. */
export const listAnchored = (
  db: Database,
  place: Place,
  pageIds: readonly string[],
  eventId: number,
): Promise<Anchored[]> =>
  db
    .selectFrom('comments')
    .select(['id as comment_id', sql<string>`page ->> 'id'`.as('page_id'), 'outdated'])
    .select([sql<TargetNode>`node`.as('node'), sql<TargetCell | null>`table_cell`.as('table_cell')])
    .where('space_id', '=', place.spaceId)
    .where(sql<boolean>`change_request_id is not distinct from ${place.changeRequestId}`)
    .where(sql<boolean>`page ->> 'id' = any(${[...pageIds]}) and page is not null and node is not null`)
    .where('followed_to', '<', eventId)
    .orderBy('id')
    .execute();

/** Moves anchors. This does not edit the comment: its version remains. */
export async function moveAnchors(
  db: Database,
  moved: readonly Omit<Anchored, 'page_id'>[],
  eventId: number,
): Promise<void> {
  if (moved.length === 0) return;
  const ids = moved.map((each) => each.comment_id);
  const nodes = moved.map((each) => JSON.stringify(each.node));
  const cells = moved.map((each) => each.table_cell && JSON.stringify(each.table_cell));
  const outdated = moved.map((each) => each.outdated);
  await sql`
    update comments k set node = now.node, table_cell = now.cell, outdated = now.outdated,
      followed_to = ${eventId}
    from unnest(${ids}::text[], ${nodes}::jsonb[], ${cells}::jsonb[], ${outdated}::boolean[])
      as now (id, node, cell, outdated)
    where k.id = now.id`.execute(db);
}
