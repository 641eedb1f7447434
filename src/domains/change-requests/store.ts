import { sql } from 'kysely';
import type { JSONDocument } from '../../content-engine/document/index.ts';
import { PIPELINED } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import {
  fetchPage,
  MAX_DOCUMENT_BYTES,
  sizeOfJson,
  type PageRequest,
} from '../../platform/api/pagination.ts';
import { effectiveRole, leastRole, SPACE } from '../access/index.ts';
import type { MergeRules } from '../organizations/index.ts';
import type { ChangeRequestStatus } from '../events/index.ts';
import { lockSpace } from '../spaces/index.ts';
import { changeRequests, type ChangeRequestRow } from './policy.ts';

export interface NewChangeRequest {
  readonly author_id: string;
  readonly subject: string;
  readonly agent_task_id: string | undefined;
}

export interface Inserted {
  readonly id: string;
  readonly number: number;
  readonly revision_id: string;
}

/** Numbers have no gaps: the counter is locked until the requests are inserted. */
export async function insertChangeRequests(
  db: Database,
  spaceId: string,
  requests: readonly NewChangeRequest[],
): Promise<Inserted[]> {
  const count = requests.length;
  const rows = requests.map((request, index) => ({ ...request, ordinal: index + 1, id: newId() }));
  const inserted = await sql<Inserted>`
    with new as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new (ordinal int, id text, subject text,
        author_id text, agent_task_id text)
    ), numbers as (
      insert into change_request_numbers as n (space_id, last) values (${spaceId}, ${count})
      on conflict (space_id) do update set last = n.last + ${count} returning last - ${count} as last
    ), tally as (
      insert into space_tallies (space_id, change_requests, change_requests_draft)
      values (${spaceId}, ${count}, ${count})
    )
    insert into change_requests (id, space_id, number, subject, author_id, agent_task_id, revision_id,
      initial_revision_id, ancestor_revision_id, store_id)
    select new.id, s.id, numbers.last + new.ordinal, new.subject, new.author_id, new.agent_task_id, s.revision_id,
      s.revision_id, s.revision_id, s.store_id
    from new, numbers, spaces s where s.id = ${spaceId}
    returning id, number, revision_id`.execute(db);
  return inserted.rows.toSorted((a, b) => a.number - b.number);
}

export const getChangeRequest = (db: Database, callerId: string, id: string): Promise<ChangeRequestRow> =>
  visibleRows(db, changeRequests, callerId)
    .selectAll()
    .where('change_request_id', '=', id)
    .executeTakeFirstOrThrow();

/** Undefined: it does not exist, or the caller may not view it. */
export const findChangeRequest = (
  db: Database,
  callerId: string,
  id: string,
): Promise<ChangeRequestRow | undefined> =>
  visibleRows(db, changeRequests, callerId)
    .selectAll()
    .where('change_request_id', '=', id)
    .executeTakeFirst();

export interface ChangeRequestFilter {
  readonly spaceId?: string | undefined;
  readonly organizationId?: string;
  readonly statuses?: readonly ChangeRequestStatus[] | undefined;
  readonly creator?: string | undefined;
  readonly contributor?: string | undefined;
  readonly requestedReviewer?: string | undefined;
}

/** The latest first. */
export function listChangeRequests(
  db: Database,
  callerId: string,
  filter: ChangeRequestFilter,
  page: PageRequest,
) {
  let rows = visibleRows(db, changeRequests, callerId).selectAll();
  if (filter.spaceId) rows = rows.where('space_id', '=', filter.spaceId);
  if (filter.organizationId) rows = rows.where('organization_id', '=', filter.organizationId);
  if (filter.statuses) rows = rows.where('status', 'in', [...filter.statuses]);
  if (filter.creator) rows = rows.where('author_id', '=', filter.creator);
  if (filter.contributor) {
    rows = rows.where(sql<boolean>`exists (
      select from change_request_contributors c
      where c.change_request_id = row.change_request_id and c.user_id = ${filter.contributor})`);
  }
  if (filter.requestedReviewer) {
    rows = rows.where(sql<boolean>`exists (
      select from change_request_reviewers r
      where r.change_request_id = row.change_request_id and r.user_id = ${filter.requestedReviewer})`);
  }
  return fetchPage(rows, page, {
    // Requests that were created together share a time; their numbers give the order.
    by: ['created_at', 'number', 'change_request_id'],
    direction: 'desc',
    key: (row: ChangeRequestRow) => [row.created_at.toISOString(), row.number, row.change_request_id],
    size: { db, of: sizeOfJson('description'), max: MAX_DOCUMENT_BYTES },
  });
}

export interface Locked {
  readonly status: ChangeRequestStatus;
  readonly version: number;
  readonly revision_id: string;
  readonly root: Buffer | null;
  readonly ancestor_revision_id: string;
  readonly ancestor_root: Buffer | null;
}

async function lockRows(db: Database, ids: readonly string[]): Promise<void> {
  await sql`${PIPELINED}
    select from change_requests where id = any(${[...ids]}) order by id for no key update`.execute(db);
}

/** Operations that lock a change request wait under this key. */
export const queueOfRequest = (ids: { readonly spaceId: string; readonly changeRequestId: string }): string =>
  `change-request:${ids.spaceId}/${ids.changeRequestId}`;

/** The present state with the roots of its revisions, locked until the transaction ends. */
export async function lockChangeRequest(db: Database, id: string): Promise<Locked> {
  await lockRows(db, [id]);
  const locked = await db
    .selectFrom('change_requests as cr')
    .innerJoin('revisions as proposed', 'proposed.id', 'cr.revision_id')
    .innerJoin('revisions as ancestor', 'ancestor.id', 'cr.ancestor_revision_id')
    .select(['cr.status', 'cr.version', 'cr.revision_id', 'cr.ancestor_revision_id'])
    .select(['proposed.root', 'ancestor.root as ancestor_root'])
    .where('cr.id', '=', id)
    .executeTakeFirstOrThrow();
  return locked as Locked;
}

const isOpen = (status: ChangeRequestStatus): number => Number(status === 'open');
const isDraft = (status: ChangeRequestStatus): number => Number(status === 'draft');

export async function setStatus(
  db: Database,
  { spaceId, id }: { readonly spaceId: string; readonly id: string },
  from: ChangeRequestStatus,
  to: ChangeRequestStatus,
  mergedRevisionId?: string,
): Promise<void> {
  await sql`${PIPELINED}
    with tally as (
      insert into space_tallies (space_id, change_requests_open, change_requests_draft)
      values (${spaceId}, ${isOpen(to) - isOpen(from)}, ${isDraft(to) - isDraft(from)})
    )
    update change_requests set status = ${to}, merged_revision_id = ${mergedRevisionId ?? null},
      version = version + 1, updated_at = now()
    where id = ${id} and status = ${from}`.execute(db);
}

export async function setTexts(
  db: Database,
  id: string,
  texts: { readonly subject?: string | undefined; readonly description?: JSONDocument | null | undefined },
): Promise<void> {
  if (texts.subject === undefined && texts.description === undefined) return;
  await db
    .updateTable('change_requests')
    .set({
      version: sql`version + 1`,
      updated_at: sql`now()`,
      ...(texts.subject === undefined ? {} : { subject: texts.subject }),
      ...(texts.description === undefined
        ? {}
        : { description: texts.description === null ? null : JSON.stringify(texts.description) }),
    })
    .where('id', '=', id)
    .execute();
}

/** Sets the proposed revision and, after an update, the revision of the space that is merged into it. */
export async function setProposedRevision(
  db: Database,
  id: string,
  revisionId: string,
  ancestorId?: string,
): Promise<void> {
  await sql`${PIPELINED}
    update change_requests set revision_id = ${revisionId}, version = version + 1, updated_at = now(),
      ancestor_revision_id = coalesce(${ancestorId ?? null}, ancestor_revision_id)
    where id = ${id}`.execute(db);
}

/** Whether a request was edited, and then updated from its space. `revisionId`: its last revision. */
export async function wasUpdated(db: Database, revisionId: string): Promise<boolean> {
  const { rows } = await sql<{ updated: boolean }>`
    with recursive steps as (
      select parents[1] as parent, type from revisions where id = ${revisionId} and sequence is null
      union all
      select rv.parents[1], rv.type from steps join revisions rv on rv.id = steps.parent and rv.sequence is null
    )
    select array['edits', 'update'] <@ array_agg(type) as updated from steps`.execute(db);
  return rows[0]?.updated === true;
}

export interface ReviewFact {
  readonly reviewer_id: string;
  readonly revision_id: string;
  readonly status: 'approved' | 'changes-requested';
  /** Whether the reviewer edited the request. */
  readonly has_edited: boolean;
}

export interface MergeFacts {
  readonly space_title: string;
  readonly has_conflicts: boolean;
  readonly space_rules: MergeRules;
  readonly organization_rules: MergeRules;
  readonly reviews: readonly ReviewFact[];
}

const FACTS = sql`
  s.title as space_title, s.merge_rules as space_rules, o.merge_rules as organization_rules,
  exists (select from change_request_conflicts where change_request_id = cr.id) as has_conflicts,
  coalesce((
    select jsonb_agg(jsonb_build_object('reviewer_id', last.reviewer_id, 'revision_id', last.revision_id,
      'status', last.status, 'has_edited', exists (
        select from change_request_contributors edited where edited.change_request_id = cr.id
          and edited.user_id = last.reviewer_id and edited.action = 'edit')))
    from (
      select distinct on (reviewer_id) reviewer_id, revision_id, status from change_request_reviews
      where change_request_id = cr.id order by reviewer_id, created_at desc, id) last
    join members mine on mine.organization_id = o.id and mine.user_id = last.reviewer_id and not mine.disabled
    where ${sql.raw(effectiveRole(SPACE))} >= ${sql.lit(leastRole.review)}::role), '[]') as reviews`;

const PLACE = sql`
  change_requests cr join spaces s on s.id = cr.space_id join organizations o on o.id = s.organization_id
  left join collections c on c.id = s.parent_id`;

/**
 * The facts that merge rules read: conflicts, the rules of the space and its organization, and the last review of
 * every member who still has the role review.
 */
export function getMergeFacts(db: Database, id: string): Promise<MergeFacts> {
  const facts = sql<MergeFacts>`(select ${FACTS} from ${PLACE} where cr.id = ${id})`;
  return db.selectFrom(facts.as('facts')).selectAll().executeTakeFirstOrThrow();
}

/** A change request with the roots of the three versions that a merge compares. */
export interface RequestVersions extends Locked {
  readonly store_id: string;
  readonly primary_revision_id: string;
  readonly primary_root: Buffer | null;
}

const VERSIONS = sql`
  cr.id, cr.status, cr.version, cr.revision_id, proposed.root, cr.ancestor_revision_id,
  ancestor.root as ancestor_root, s.store_id, s.revision_id as primary_revision_id, shown.root as primary_root`;

const REVISIONS = sql`
  join revisions proposed on proposed.id = cr.revision_id
  join revisions ancestor on ancestor.id = cr.ancestor_revision_id
  join revisions shown on shown.id = s.revision_id`;

/** Undefined: the request or its space was deleted. */
export async function findVersions(db: Database, id: string): Promise<RequestVersions | undefined> {
  const { rows } = await sql<RequestVersions>`
    select ${VERSIONS} from change_requests cr join spaces s on s.id = cr.space_id ${REVISIONS}
    where cr.id = ${id} and s.deleted_at is null`.execute(db);
  return rows[0];
}

export interface LockedWithSpace extends RequestVersions, MergeFacts {}

/**
 * Locks the space, then requests of it. Returns the present content of the space, the proposed content, and what merge
 * rules are evaluated on.
 */
export async function lockWithSpace(
  db: Database,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, LockedWithSpace>> {
  await lockSpace(db, spaceId);
  await lockRows(db, ids);
  const { rows } = await sql<LockedWithSpace & { id: string }>`
    select ${VERSIONS}, ${FACTS} from ${PLACE} ${REVISIONS}
    where cr.id = any(${[...ids]}) and s.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
