import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { conflict } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { collections, type CollectionRow } from './policy.ts';
import type { CollectionPatch } from './schema.ts';

/** The parent of siblings in one order: a collection, or the root of an organization. */
export interface Parent {
  readonly organizationId: string;
  readonly parentId: string | null;
}

/**
 * Positions in an organization are assigned by one transaction at a time; several organizations are locked in one
 * order.
 */
export async function lockOrder(db: Database, organizationIds: readonly string[]): Promise<void> {
  await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', sql<string>`any(${[...organizationIds]})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Deleted spaces keep their position for when they are restored, but nothing is placed next to them. */
export type Among = 'all' | 'live';

const siblings = ({ organizationId, parentId }: Parent, among: Among) => sql<{
  id: string;
  position: string;
}>`(
  select id, position from spaces
  where organization_id = ${organizationId} and parent_id is not distinct from ${parentId}
    and (${among === 'all'} or deleted_at is null)
  union all
  select id, position from collections
  where organization_id = ${organizationId} and parent_id is not distinct from ${parentId})`;

export async function findLastPosition(
  db: Database,
  parent: Parent,
  among: Among,
  exceptId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom(siblings(parent, among).as('sibling'))
    .select('position')
    .where('id', '!=', exceptId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.position;
}

export async function findSibling(db: Database, parent: Parent, id: string): Promise<string | undefined> {
  const found = await db
    .selectFrom(siblings(parent, 'all').as('sibling'))
    .select('position')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.position;
}

export async function findNeighbour(
  db: Database,
  parent: Parent,
  among: Among,
  position: string,
  side: 'previous' | 'next',
  exceptId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom(siblings(parent, among).as('sibling'))
    .select('position')
    .where('id', '!=', exceptId)
    .where('position', side === 'next' ? '>' : '<', position)
    .orderBy('position', side === 'next' ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.position;
}

/** All of them, in their order. */
export const listSiblings = (db: Database, parent: Parent) =>
  db
    .selectFrom(siblings(parent, 'all').as('sibling'))
    .select(['id', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute();

export async function setPositions(
  db: Database,
  items: readonly { readonly id: string; readonly position: string }[],
): Promise<void> {
  const [ids, positions] = [items.map(({ id }) => id), items.map(({ position }) => position)];
  await sql`select set_positions(${ids}, ${positions})`.execute(db);
}

export async function insertCollection(
  db: Database,
  parent: Parent & { path: readonly string[] },
  input: { title: string; position: string },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('collections')
    .values({
      id,
      organization_id: parent.organizationId,
      parent_id: parent.parentId,
      path: [...parent.path, id],
      title: input.title,
      position: input.position,
    })
    .execute();
  return id;
}

export async function updateCollection(
  db: Database,
  id: string,
  patch: Static<typeof CollectionPatch>,
): Promise<void> {
  const { title, description, defaultLevel } = patch;
  if (Object.keys(patch).length === 0) return;
  await db
    .updateTable('collections')
    .set({
      version: sql`version + 1`,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description: description || null }),
      ...(defaultLevel === undefined ? {} : levelColumns(defaultLevel)),
    })
    .where('id', '=', id)
    .execute();
}

export const levelColumns = (level: NonNullable<Static<typeof CollectionPatch>['defaultLevel']> | null) => ({
  default_inherits: level === 'inherit',
  default_level: level === 'inherit' ? null : level,
});

/** Moves a collection, and updates the paths of everything inside. */
export async function moveCollection(
  db: Database,
  id: string,
  to: Parent & { path: readonly string[]; position: string },
): Promise<void> {
  await sql`
    update collections c set
      path = ${[...to.path]}::text[] || c.path[moved.depth:],
      organization_id = ${to.organizationId},
      parent_id = case when c.id = moved.id then ${to.parentId} else c.parent_id end,
      position = case when c.id = moved.id then ${to.position} else c.position end,
      version = case when c.id = moved.id then c.version + 1 else c.version end
    from (select id, cardinality(path) as depth from collections where id = ${id}) moved
    where c.path @> array[moved.id]`.execute(db);
}

/** The depth of the deepest collection inside a collection. */
export async function heightOf(db: Database, id: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    select max(cardinality(inside.path) - cardinality(own.path)) as height
    from collections own join collections inside on inside.path @> array[own.id]
    where own.id = ${id}`.execute(db);
  return rows[0]?.height ?? 0;
}

/**
 * Its position, read under the lock. Where it was deleted or transferred since the caller was authorised, it is not
 * found, and the operation is retried with another answer.
 */
export const getPositionOfCollection = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('collections')
    .select(['id', 'parent_id as parentId', 'position'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** The path of a parent, read under the lock: it may have been moved or deleted since the caller was authorised. */
export async function getPath(db: Database, { organizationId, parentId }: Parent): Promise<string[]> {
  if (parentId === null) return [];
  const { path } = await db
    .selectFrom('collections')
    .select('path')
    .where('organization_id', '=', organizationId)
    .where('id', '=', parentId)
    .executeTakeFirstOrThrow();
  return path;
}

/** A collection with all collections inside. The caller deals with the spaces in it. */
export async function deleteCollections(db: Database, id: string): Promise<void> {
  await sql`delete from collections where path @> array[${id}]`.execute(db);
}

export const listIdsInside = async (db: Database, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from collections where path @> array[${id}]`.execute(
    db,
  );
  return rows.map((row) => row.id);
};

/** The error for a change that would remove the caller's own access. */
export const noLongerVisible = () =>
  conflict('This would remove your own access. Ask an admin to grant you a role on it first.');

export async function getCollection(db: Database, callerId: string, id: string): Promise<CollectionRow> {
  const rows = visibleRows(db, collections, callerId).selectAll().where('collection_id', '=', id);
  const row = await rows.executeTakeFirst();
  if (row) return row;
  // If the row is gone, the operation is retried. If it remains, only the caller lost access to it.
  await db.selectFrom('collections').select('id').where('id', '=', id).executeTakeFirstOrThrow();
  throw noLongerVisible();
}

/** Those of these collections that the caller may view, by id. */
export async function findCollections(
  db: Database,
  callerId: string,
  ids: readonly string[],
): Promise<Map<string, CollectionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await visibleRows(db, collections, callerId)
    .selectAll()
    .where('collection_id', '=', sql<string>`any(${[...ids]})`)
    .execute();
  return new Map(rows.map((row) => [row.collection_id, row]));
}

export function listCollections(
  db: Database,
  callerId: string,
  organizationId: string,
  nested: boolean,
  page: PageRequest,
) {
  let rows = visibleRows(db, collections, callerId).selectAll().where('organization_id', '=', organizationId);
  if (!nested) rows = rows.where('parent_id', 'is', null);
  return fetchPage(rows, page, {
    by: ['place', 'collection_id'],
    direction: 'asc',
    key: (row: CollectionRow) => [row.place, row.collection_id],
  });
}
