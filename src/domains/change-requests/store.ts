import { sql } from 'kysely';
import type { JSONDocument } from '../../content-engine/markdown/index.ts';
import type { Conflict } from '../../content-engine/merge/index.ts';
import { LATER } from '../../platform/database/client.ts';
import type { Database } from '../../platform/database/connection.ts';
import { visible } from '../../platform/database/visible.ts';
import { newId } from '../../platform/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/pagination.ts';
import type { MergeRules } from '../organizations/index.ts';
import type { UserColumns } from '../users/index.ts';
import { changeRequests, type ChangeRequestRow, type Status } from './policy.ts';

/** Numbers follow each other without a gap: whoever takes the next one holds the counter until the request is there. */
export async function insertChangeRequest(
  db: Database,
  spaceId: string,
  authorId: string,
  input: { readonly subject?: string | undefined; readonly agentTaskId?: string | undefined },
): Promise<string> {
  const id = newId();
  await sql`
    with next as (
      insert into change_request_numbers as n (space_id, last) values (${spaceId}, 1)
      on conflict (space_id) do update set last = n.last + 1 returning last
    ), tally as (
      insert into space_tallies (space_id, change_requests, change_requests_draft) values (${spaceId}, 1, 1)
    )
    insert into change_requests (id, space_id, number, subject, author_id, agent_task_id, revision_id,
      initial_revision_id, ancestor_revision_id)
    select ${id}, s.id, next.last, ${input.subject ?? ''}, ${authorId}, ${input.agentTaskId ?? null}, s.revision_id,
      s.revision_id, s.revision_id
    from spaces s, next where s.id = ${spaceId}`.execute(db);
  return id;
}

export const getChangeRequest = (db: Database, callerId: string, id: string): Promise<ChangeRequestRow> =>
  visible(db, changeRequests, callerId)
    .selectAll()
    .where('change_request_id', '=', id)
    .executeTakeFirstOrThrow();

export interface ChangeRequestFilter {
  readonly spaceId?: string;
  readonly organizationId?: string;
  readonly status?: Status | undefined;
  readonly creator?: string | undefined;
  readonly contributor?: string | undefined;
}

/** The latest first. */
export function listChangeRequests(
  db: Database,
  callerId: string,
  filter: ChangeRequestFilter,
  page: PageRequest,
) {
  let rows = visible(db, changeRequests, callerId).selectAll();
  if (filter.spaceId) rows = rows.where('space_id', '=', filter.spaceId);
  if (filter.organizationId) rows = rows.where('organization_id', '=', filter.organizationId);
  if (filter.status) rows = rows.where('status', '=', filter.status);
  if (filter.creator) rows = rows.where('author_id', '=', filter.creator);
  if (filter.contributor) {
    rows = rows.where(sql<boolean>`exists (
      select from change_request_contributors c
      where c.change_request_id = row.change_request_id and c.user_id = ${filter.contributor})`);
  }
  return fetchPage(rows, page, {
    by: ['created_at', 'change_request_id'],
    direction: 'desc',
    key: (row: ChangeRequestRow) => [row.created_at.toISOString(), row.change_request_id],
  });
}

export interface Locked {
  readonly status: Status;
  readonly version: number;
  readonly revision_id: string;
  readonly root: Buffer | null;
  readonly ancestor_revision_id: string;
  readonly ancestor_root: Buffer | null;
}

/** As it is now, with the contents of its revisions, and it stays so until the transaction ends. */
export async function lockChangeRequest(db: Database, id: string): Promise<Locked> {
  await sql`${LATER} select from change_requests where id = ${id} for no key update`.execute(db);
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

const isOpen = (status: Status): number => Number(status === 'open');
const isDraft = (status: Status): number => Number(status === 'draft');

export async function setStatus(
  db: Database,
  { spaceId, id }: { readonly spaceId: string; readonly id: string },
  from: Status,
  to: Status,
  mergedRevisionId?: string,
): Promise<void> {
  await sql`${LATER}
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

/** What it proposes from now on; and, after an update, what of the space is in it. */
export async function moveRequest(
  db: Database,
  id: string,
  revisionId: string,
  ancestorId?: string,
): Promise<void> {
  await sql`${LATER}
    update change_requests set revision_id = ${revisionId}, version = version + 1, updated_at = now(),
      ancestor_revision_id = coalesce(${ancestorId ?? null}, ancestor_revision_id)
    where id = ${id}`.execute(db);
}

export async function noteContribution(
  db: Database,
  id: string,
  userId: string,
  action: 'edit' | 'comment',
): Promise<void> {
  await sql`${LATER}
    insert into change_request_contributors as there (change_request_id, user_id, action)
    values (${id}, ${userId}, ${action})
    on conflict (change_request_id, user_id, action)
      do update set count = there.count + 1, updated_at = now()`.execute(db);
}

export type ContributorRow = UserColumns & {
  readonly action: 'edit' | 'comment';
  readonly count: number;
  readonly updated_at: Date;
};

export function listContributors(db: Database, id: string, page: PageRequest) {
  const rows = db
    .selectFrom('change_request_contributors as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select([
      'c.user_id',
      sql<'edit' | 'comment'>`c.action`.as('action'),
      'c.count',
      'c.updated_at',
      'u.display_name',
      'u.email',
      'u.photo_url',
    ])
    .where('c.change_request_id', '=', id);
  return fetchPage(rows, page, {
    by: ['c.user_id', 'c.action'],
    direction: 'asc',
    key: (row) => [row.user_id, row.action],
  });
}

export interface ReviewerRow {
  readonly user_id: string;
  readonly revision_id: string;
  readonly created_at: Date;
  readonly user: UserColumns;
  readonly requested_by: UserColumns | null;
}

const userColumns = (alias: string) =>
  sql.raw(`jsonb_build_object('user_id', ${alias}.id, 'display_name', ${alias}.display_name, 'email', ${alias}.email,
    'photo_url', ${alias}.photo_url)`);

const reviewers = (db: Database, id: string) =>
  db
    .selectFrom('change_request_reviewers as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .leftJoin('users as b', 'b.id', 'r.requested_by')
    .select(['r.user_id', 'r.revision_id', 'r.created_at'])
    .select([
      sql<UserColumns>`${userColumns('u')}`.as('user'),
      sql<UserColumns | null>`case when b.id is not null then ${userColumns('b')} end`.as('requested_by'),
    ])
    .where('r.change_request_id', '=', id);

export const listReviewers = (db: Database, id: string, page: PageRequest) =>
  fetchPage(reviewers(db, id), page, {
    by: ['r.created_at', 'r.user_id'],
    direction: 'asc',
    key: (row) => [row.created_at.toISOString(), row.user_id],
  });

export const getReviewers = (db: Database, id: string, userIds: readonly string[]): Promise<ReviewerRow[]> =>
  reviewers(db, id)
    .where('r.user_id', '=', sql<string>`any(${[...userIds]})`)
    .orderBy('r.user_id')
    .execute();

/** Asked again, somebody is asked about what is proposed now. */
export async function putReviewers(
  db: Database,
  id: string,
  revisionId: string,
  requestedBy: string,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    insert into change_request_reviewers (change_request_id, user_id, requested_by, revision_id)
    select ${id}, *, ${requestedBy}, ${revisionId} from unnest(${[...new Set(userIds)].toSorted()}::text[])
    on conflict (change_request_id, user_id)
      do update set requested_by = excluded.requested_by, revision_id = excluded.revision_id`.execute(db);
}

/** False where nobody had asked them. */
export async function deleteReviewer(db: Database, id: string, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('change_request_reviewers')
    .where('change_request_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** Of these people, those who may not view the space: they could not review anything. */
export async function listBlind(
  db: Database,
  spaceId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const blind: string[] = [];
  for (const userId of userIds) {
    const row = await visible(db, changeRequests, userId)
      .select('space_id')
      .where('space_id', '=', spaceId)
      .limit(1)
      .executeTakeFirst();
    if (!row) blind.push(userId);
  }
  return blind;
}

export interface ConflictRow {
  readonly id: string;
  readonly conflict: Conflict;
}

/** Those that are not resolved, in their order. */
export async function listConflicts(db: Database, id: string): Promise<ConflictRow[]> {
  const rows = await db
    .selectFrom('change_request_conflicts')
    .select(['id', 'conflict'])
    .where('change_request_id', '=', id)
    .orderBy('place')
    .execute();
  return rows as unknown as ConflictRow[];
}

export async function getConflict(
  db: Database,
  requestId: string,
  id: string,
): Promise<Conflict | undefined> {
  const row = await db
    .selectFrom('change_request_conflicts')
    .select('conflict')
    .where('change_request_id', '=', requestId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.conflict as unknown as Conflict | undefined;
}

export async function insertConflicts(
  db: Database,
  requestId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  if (conflicts.length === 0) return;
  await sql`
    insert into change_request_conflicts (id, change_request_id, place, conflict)
    select id, ${requestId}, coalesce((select max(place) from change_request_conflicts
      where change_request_id = ${requestId}), 0) + ordinality, conflict::jsonb
    from unnest(${conflicts.map(() => newId())}::text[], ${conflicts.map((each) => JSON.stringify(each))}::text[])
      with ordinality as c (id, conflict, ordinality)`.execute(db);
}

export async function replaceConflict(db: Database, id: string, conflict: Conflict): Promise<void> {
  await db
    .updateTable('change_request_conflicts')
    .set({ conflict: JSON.stringify(conflict) })
    .where('id', '=', id)
    .execute();
}

export async function deleteConflicts(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('change_request_conflicts')
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute();
}

export interface ReviewFact {
  readonly reviewer_id: string;
  readonly revision_id: string;
  readonly status: 'approved' | 'changes-requested';
}

export interface MergeFacts {
  readonly has_conflicts: boolean;
  readonly space_rules: MergeRules;
  readonly organization_rules: MergeRules;
  readonly reviews: readonly ReviewFact[];
}

/** What a merge is judged by: conflicts, the rules of the space and its organization, and everybody's last review. */
export async function getMergeFacts(db: Database, id: string): Promise<MergeFacts> {
  const { rows } = await sql<MergeFacts>`
    select s.merge_rules as space_rules, o.merge_rules as organization_rules,
      exists (select from change_request_conflicts where change_request_id = cr.id) as has_conflicts,
      coalesce((select jsonb_agg(r) from (
        select distinct on (reviewer_id) reviewer_id, revision_id, status from change_request_reviews
        where change_request_id = cr.id order by reviewer_id, created_at desc, id) r), '[]') as reviews
    from change_requests cr join spaces s on s.id = cr.space_id join organizations o on o.id = s.organization_id
    where cr.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The change request ${id} is gone while it was merged`);
  return row;
}
