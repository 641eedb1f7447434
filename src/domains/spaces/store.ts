import { sql } from 'kysely';
import type { Static } from 'typebox';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/api/ids.ts';
import { levelColumns, type Parent } from '../collections/index.ts';
import type { GitSync, SpaceRow } from './policy.ts';
import type { NewSpace, SpacePatch } from './schema.ts';

export async function insertSpace(
  db: Database,
  at: Parent & { position: string },
  input: Omit<Static<typeof NewSpace>, 'parent'>,
): Promise<string> {
  const id = newId();
  const revisionId = newId();
  await db
    .with('first_revision', (with_) =>
      with_.insertInto('revisions').values({ id: revisionId, space_id: id, type: 'edits', sequence: 1 }),
    )
    .insertInto('spaces')
    .values({
      id,
      organization_id: at.organizationId,
      store_id: at.organizationId,
      parent_id: at.parentId,
      position: at.position,
      title: input.title || 'Untitled',
      emoji: input.emoji ?? '',
      language: input.language ?? null,
      edit_mode: input.editMode ?? 'locked',
      revision_id: revisionId,
    })
    .execute();
  return id;
}

/** Copies content and settings, not comments. The content is shared, so its size does not matter. */
export async function copySpace(
  db: Database,
  fromId: string,
  to: { title: string; position: string },
): Promise<string> {
  const id = newId();
  const revisionId = newId();
  await sql`
    with original as (
      select s.*, r.root from spaces s join revisions r on r.id = s.revision_id where s.id = ${fromId} for share of s
    ), first_revision as (
      insert into revisions (id, space_id, type, root, sequence)
      select ${revisionId}, ${id}, 'edits', root, 1 from original
    )
    insert into spaces (id, organization_id, store_id, parent_id, position, title, emoji, icon, language, visibility,
      edit_mode, default_inherits, default_level, merge_rules, revision_id)
    select ${id}, organization_id, store_id, parent_id, ${to.position}, ${to.title}, emoji, icon, language, visibility,
      edit_mode, default_inherits, default_level, merge_rules, ${revisionId}
    from original`.execute(db);
  return id;
}

/** The rules of the space itself, which remain as they are until the transaction ends. */
export async function lockMergeRules(db: Database, id: string): Promise<SpaceRow['merge_rules']> {
  const row = await db
    .selectFrom('spaces')
    .select('merge_rules')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.merge_rules as SpaceRow['merge_rules'];
}

export async function updateSpace(db: Database, id: string, patch: Static<typeof SpacePatch>): Promise<void> {
  const { title, emoji, icon, editMode, defaultLevel, language, visibility, mergeRules } = patch;
  // An empty patch changes nothing, not even the version, so that no precondition fails by it.
  if (Object.keys(patch).length === 0) return;
  await db
    .updateTable('spaces')
    .set({
      version: sql`version + 1`,
      updated_at: sql`now()`,
      ...(title === undefined ? {} : { title }),
      // Emoji and icon replace each other: a space shows one of them.
      ...(emoji === undefined ? {} : { emoji: emoji ?? '', ...(emoji ? { icon: null } : {}) }),
      ...(icon === undefined ? {} : { icon, ...(icon ? { emoji: '' } : {}) }),
      ...(editMode === undefined ? {} : { edit_mode: editMode }),
      ...(defaultLevel === undefined ? {} : levelColumns(defaultLevel)),
      ...(language === undefined ? {} : { language }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(mergeRules === undefined ? {} : { merge_rules: JSON.stringify(mergeRules) }),
    })
    .where('id', '=', id)
    .execute();
}

export async function moveSpace(db: Database, id: string, to: Parent & { position: string }): Promise<void> {
  await db
    .updateTable('spaces')
    .set({
      organization_id: to.organizationId,
      parent_id: to.parentId,
      position: to.position,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Moves the spaces of collections to another organization. */
export async function moveSpacesToOrganization(
  db: Database,
  collectionIds: readonly string[],
  organizationId: string,
): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ organization_id: organizationId })
    .where('parent_id', '=', sql<string>`any(${[...collectionIds]})`)
    .execute();
}

export const listSpaceIdsIn = async (db: Database, collectionIds: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('spaces')
    .select('id')
    .where('parent_id', '=', sql<string>`any(${[...collectionIds]})`)
    .execute();
  return rows.map((row) => row.id);
};

/** Whether a site shows one of these spaces. Deleted ones are not shown. */
export async function isShownOnSite(db: Database, ids: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('site_spaces')
    .select('id')
    .where('space_id', '=', sql<string>`any(${[...ids]})`)
    .where('space_deleted', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}

/** Folds many rows into one. Concurrent readers see the same sum before and after. */
export async function foldTallies(db: Database): Promise<void> {
  await sql`
    with many as (
      select space_id from space_tallies group by space_id having count(*) > 20 limit 1000
    ), folded as (
      delete from space_tallies t using many where t.space_id = many.space_id returning t.*
    )
    insert into space_tallies (space_id, comments, comments_resolved, change_requests, change_requests_open,
      change_requests_draft)
    select space_id, sum(comments), sum(comments_resolved), sum(change_requests), sum(change_requests_open), sum(change_requests_draft)
    from folded group by space_id`.execute(db);
}

/** Operations that lock a space wait under this key. */
export const queueOfSpace = ({ spaceId }: { readonly spaceId: string }): string => `space:${spaceId}`;

/**
 * Locks the revision that a space shows until the transaction ends. Read it after this: it may have changed meanwhile.
 */
export async function lockSpace(db: Database, spaceId: string): Promise<void> {
  await sql`${PIPELINED} select from spaces where id = ${spaceId} for no key update`.execute(db);
}

/** The store of a space, deleted or not. */
export async function findStore(db: Database, spaceId: string): Promise<string | undefined> {
  const row = await db.selectFrom('spaces').select('store_id').where('id', '=', spaceId).executeTakeFirst();
  return row?.store_id;
}

export async function setStore(db: Database, spaceId: string, storeId: string): Promise<void> {
  await db.updateTable('spaces').set({ store_id: storeId }).where('id', '=', spaceId).execute();
}

/**
 * Its position, read under the lock. Where it was transferred since the caller was authorised, it is not found, and the
 * operation is retried.
 */
export const getPosition = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('spaces')
    .select(['id', 'parent_id as parentId', 'position'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Sets the repository of the space, as the API shows it. */
export async function setGitSync(db: Database, spaceId: string, gitSync: GitSync | null): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ git_sync: gitSync && JSON.stringify(gitSync) })
    .where('id', '=', spaceId)
    .execute();
}
