import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';

export type SyncDirection = 'both' | 'import' | 'export';

/** A branch that a space follows. */
export interface ConnectionRow {
  readonly space_id: string;
  readonly user_id: string | null;
  readonly url: string;
  readonly ref: string;
  readonly directory: string;
  /** Sealed. */
  readonly credential: Buffer | null;
  readonly direction: SyncDirection;
  readonly provider: 'github' | 'gitlab' | null;
  readonly tree_url: string | null;
  readonly commit_url: string | null;
  readonly pull_requests: boolean;
  readonly nonce: string;
  readonly webhook_seen_at: Date | null;
  readonly poll_error: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

type Settings = Pick<
  ConnectionRow,
  | 'user_id'
  | 'url'
  | 'ref'
  | 'directory'
  | 'credential'
  | 'direction'
  | 'provider'
  | 'tree_url'
  | 'commit_url'
  | 'pull_requests'
  | 'nonce'
>;

/** Polls in a row after which the delay no longer grows. */
const MAX_IDLE = 6;

export const findConnection = (db: Database, spaceId: string): Promise<ConnectionRow | undefined> =>
  db
    .selectFrom('git_connections')
    .selectAll()
    .where('space_id', '=', spaceId)
    .$castTo<ConnectionRow>()
    .executeTakeFirst();

/** Polls begin at once: whether a webhook is set is known when it calls. */
export async function putConnection(db: Database, spaceId: string, settings: Settings): Promise<void> {
  const polls = { next_poll_at: sql<Date>`now()`, idle_polls: 0, poll_error: null, webhook_seen_at: null };
  await db
    .insertInto('git_connections')
    .values({ space_id: spaceId, ...settings, ...polls })
    .onConflict((conflict) =>
      conflict.column('space_id').doUpdateSet({
        ...settings,
        ...polls,
        version: sql`git_connections.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute();
}

export async function deleteConnection(db: Database, spaceId: string): Promise<boolean> {
  const deleted = await db.deleteFrom('git_connections').where('space_id', '=', spaceId).executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** Connections of spaces whose new content is exported, unless the revision was imported. */
export async function listExporting(
  db: Database,
  revisions: readonly { readonly spaceId: string; readonly revisionId: string }[],
): Promise<ConnectionRow[]> {
  const ids = revisions.map(({ revisionId }) => revisionId);
  return db
    .selectFrom('git_connections as connection')
    .selectAll('connection')
    .where('direction', 'in', ['both', 'export'])
    .where('space_id', 'in', (spaces) =>
      spaces.selectFrom('revisions').select('space_id').where('id', 'in', ids).where('git', 'is', null),
    )
    .$castTo<ConnectionRow>()
    .execute();
}

/** A webhook announces pushes: from now on, hourly polls find what it misses. */
export async function recordWebhook(db: Database, spaceId: string): Promise<void> {
  await db
    .updateTable('git_connections')
    .set({
      webhook_seen_at: sql`now()`,
      next_poll_at: sql`now() + interval '1 hour'`,
      idle_polls: MAX_IDLE,
      poll_error: null,
    })
    .where('space_id', '=', spaceId)
    .execute();
}

/** The polls of all processes: remotes that do not answer hold their places for some seconds. */
const MAX_POLLING = 20;

/**
 * Takes connections to poll, of each organization one that no process is polling. If the process ends meanwhile, its
 * connections are due again after half a minute.
 */
export async function claimDue(db: Database): Promise<ConnectionRow[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim git poll', 43))`.execute(transaction);
    const { rows } = await sql<ConnectionRow>`
      with polling as (
        select s.organization_id from git_connections c join spaces s on s.id = c.space_id where c.polling_until > now()
      ), first_due as (
        select distinct on (s.organization_id) c.space_id, c.next_poll_at
        from git_connections c join spaces s on s.id = c.space_id and s.deleted_at is null
        where c.next_poll_at <= now() and c.direction <> 'export'
          and s.organization_id not in (select organization_id from polling)
        order by s.organization_id, c.next_poll_at
      ), next as (
        select space_id from first_due order by next_poll_at
        limit greatest(0, ${sql.lit(MAX_POLLING)} - (select count(*) from polling))
      )
      update git_connections c
      set polling_until = now() + interval '30 seconds', next_poll_at = now() + interval '30 seconds'
      from next where c.space_id = next.space_id
      returning c.*`.execute(transaction);
    return rows;
  });
}

/** `problem`: of a poll that failed. The delay doubles with every poll that finds nothing, up to an hour. */
export async function endPoll(
  db: Database,
  { space_id: spaceId, version, webhook_seen_at: webhookSeenAt }: ConnectionRow,
  outcome: { readonly isChanged: boolean; readonly problem?: string },
): Promise<void> {
  const isQuick = outcome.isChanged && webhookSeenAt === null;
  await sql`
    update git_connections set polling_until = null, poll_error = ${outcome.problem ?? null},
      idle_polls = case when ${isQuick} then 0 else least(idle_polls + 1, ${sql.lit(MAX_IDLE)}) end,
      next_poll_at = now() + case when ${isQuick} then 1 else least(power(2, idle_polls), 60) end * interval '1 minute'
    where space_id = ${spaceId} and version = ${version}`.execute(db);
}

export interface ProposedPull {
  readonly changeRequestId: string;
  readonly revisionId: string;
}

export async function findPull(
  db: Database,
  spaceId: string,
  number: number,
): Promise<ProposedPull | undefined> {
  return db
    .selectFrom('git_pull_requests')
    .select(['change_request_id as changeRequestId', 'revision_id as revisionId'])
    .where('space_id', '=', spaceId)
    .where('number', '=', number)
    .executeTakeFirst();
}

export async function putPull(
  db: Database,
  spaceId: string,
  number: number,
  { changeRequestId, revisionId }: ProposedPull,
): Promise<void> {
  const values = { change_request_id: changeRequestId, revision_id: revisionId };
  await db
    .insertInto('git_pull_requests')
    .values({ space_id: spaceId, number, ...values })
    .onConflict((conflict) => conflict.columns(['space_id', 'number']).doUpdateSet(values))
    .execute();
}
