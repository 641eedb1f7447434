import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

/** A process that does not extend its check for this long was interrupted. */
const LEASE = sql`interval '2 minutes'`;
/** A URL without a problem is not requested again within this time. */
const FRESH = sql`interval '1 hour'`;

/** Whether the target `t` is a URL of the platform with this address. The character after `/` is `0`. */
export const isUrlOf = (platform: string) => sql<boolean>`
  (t.address is not null and (t.address = ${platform}
    or t.address >= ${`${platform}/`} and t.address < ${`${platform}0`}))`;

/** The page that a URL leads to, whatever the anchor. */
const PAGE_URL = sql<string>`split_part(t.url, '#', 1)`;

/** External URLs. Those with expressions are complete only when they are shown. */
const isExternal = (platform: string) => sql<boolean>`
  t.kind = 'url' and t.address is not null and not ${isUrlOf(platform)} and position('{{' in t.url) = 0`;

/** Whether a target is to be checked; `i` is the index of its space. */
const isDue: RawBuilder<boolean> = sql`
  (t.checked_at is null or t.checked_at < i.check_since - case when t.problem is null then ${FRESH} else interval '0' end)`;

export interface CheckState {
  readonly is_running: boolean;
  /** Different URLs, and those that are still to be checked. */
  readonly total: number;
  readonly remaining: number;
}

/** Requests a check, unless one is requested or running already. */
export async function requestCheck(db: Database, spaceId: string): Promise<void> {
  await sql`
    update link_indexes set check_since = now(), checking_until = now()
    where space_id = ${spaceId} and checking_until is null`.execute(db);
}

/** Undefined: nothing was ever published in the space. */
export async function findCheck(
  db: Database,
  spaceId: string,
  platform: string,
): Promise<CheckState | undefined> {
  const { rows } = await sql<CheckState>`
    select coalesce(i.checking_until > now(), false) as is_running, count(distinct ${PAGE_URL})::int as total,
      count(distinct ${PAGE_URL}) filter (where ${isDue})::int as remaining
    from link_indexes i left join link_targets t on t.space_id = i.space_id and ${isExternal(platform)}
    where i.space_id = ${spaceId} group by i.space_id`.execute(db);
  return rows[0];
}

/**
 * The space whose requested or interrupted check waits longest. Undefined: none, or one is running: hosts are requested
 * with pauses, whichever space links to them, and the places for jobs are few.
 */
export async function claimCheck(db: Database): Promise<string | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim link check', 43))`.execute(transaction);
    const { rows } = await sql<{ space_id: string }>`
      with next as (
        select i.space_id from link_indexes i join spaces s on s.id = i.space_id
        where i.checking_until <= now() and s.deleted_at is null
          and not exists (select from link_indexes where checking_until > now())
        order by i.checking_until limit 1
      )
      update link_indexes i set checking_until = now() + ${LEASE} from next
      where i.space_id = next.space_id returning i.space_id`.execute(transaction);
    return rows[0]?.space_id;
  });
}

/** Claims the check of one space, as if it was requested now. False: another process is checking, or it never had content. */
export async function claimCheckOf(db: Database, spaceId: string): Promise<boolean> {
  const { rows } = await sql`
    update link_indexes set check_since = now(), checking_until = now() + ${LEASE}
    where space_id = ${spaceId} and (checking_until is null or checking_until <= now())
    returning space_id`.execute(db);
  return rows.length > 0;
}

/** Ends the work on a claimed check: it is complete, or another process may continue it. */
export async function releaseCheck(db: Database, spaceId: string, isComplete: boolean): Promise<void> {
  await sql`
    update link_indexes set checking_until = case when ${isComplete}::boolean then null else now() end
    where space_id = ${spaceId}`.execute(db);
}

export interface DueUrl {
  /** The URL as written, without its anchor. */
  readonly url: string;
  readonly address: string;
}

const MAX_URLS = 1000;
const MAX_URLS_OF_HOST = 100;

/** The next URLs to check, of as many hosts as possible; those that were never checked come first. */
export async function listDueUrls(db: Database, spaceId: string, platform: string): Promise<DueUrl[]> {
  const { rows } = await sql<DueUrl>`
    select url, address from (
      select url, address, row_number() over (
        partition by substring(address from '^[a-z]+://[^/]*') order by checked_at nulls first, url) as place
      from (
        select ${PAGE_URL} as url, min(t.address) as address,
          case when bool_and(t.checked_at is not null) then min(t.checked_at) end as checked_at
        from link_indexes i
        join spaces s on s.id = i.space_id and s.deleted_at is null
        join link_targets t on t.space_id = i.space_id
        where i.space_id = ${spaceId} and ${isExternal(platform)} and ${isDue}
        group by 1
      ) due
    ) due
    where place <= ${MAX_URLS_OF_HOST} order by place, url limit ${MAX_URLS}`.execute(db);
  return rows;
}

export interface CheckedUrl extends DueUrl {
  readonly isBroken: boolean;
  readonly problem: string | undefined;
}

/** Saves results on all targets with these URLs, and extends the check. The caller holds the lock of the space. */
export async function saveChecks(
  db: Database,
  spaceId: string,
  results: readonly CheckedUrl[],
): Promise<void> {
  await sql`
    update link_targets t set broken = result.broken, problem = result.problem, checked_at = now()
    from unnest(${results.map(({ url }) => url)}::text[], ${results.map(({ address }) => address)}::text[],
      ${results.map(({ isBroken }) => isBroken)}::boolean[], ${results.map(({ problem }) => problem ?? null)}::text[])
      result (url, address, broken, problem)
    where t.space_id = ${spaceId} and t.kind = 'url' and t.address = result.address
      and ${PAGE_URL} = result.url`.execute(db);
  await sql`
    update link_indexes set checking_until = now() + ${LEASE}
    where space_id = ${spaceId} and checking_until is not null`.execute(db);
}

/** Deletes results of URLs that have become URLs of this platform. The caller holds the lock of the space. */
export async function deleteInAppChecks(db: Database, spaceId: string, platform: string): Promise<void> {
  await sql`
    update link_targets t set broken = false, problem = null, checked_at = null
    where t.space_id = ${spaceId} and t.kind = 'url' and t.checked_at is not null and ${isUrlOf(platform)}`.execute(
    db,
  );
}

export interface UrlProblem {
  readonly url: string;
  readonly broken: boolean;
  readonly problem: string;
  /** Ids of the sources. */
  readonly sources: readonly string[];
}

/** The URLs of a space whose last check has found a problem; broken ones first. */
export async function listUrlProblems(db: Database, spaceId: string): Promise<UrlProblem[]> {
  const { rows } = await sql<UrlProblem>`
    select ${PAGE_URL} as url, bool_or(t.broken) as broken, min(t.problem) as problem,
      array_agg(distinct l.source_id) as sources
    from link_targets t join links l on l.space_id = t.space_id and l.target = t.key
    where t.space_id = ${spaceId} and t.kind = 'url' and t.problem is not null
    group by 1 order by 2 desc, 1`.execute(db);
  return rows;
}
