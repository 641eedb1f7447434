import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

/** Delays grow from a minute to a day, and end after about 30 days. A new request begins again. */
const MAX_CHECKS = 40;

export interface DueHostname {
  readonly id: string;
  readonly siteId: string;
  readonly hostname: string;
}

/** The record of a new hostname appears within minutes, or when its owner finds the time. */
export async function scheduleChecks(db: Database, id: string): Promise<void> {
  await sql`
    insert into custom_hostname_checks (custom_hostname_id, next_at) values (${id}, now() + interval '1 minute')
    on conflict (custom_hostname_id) do update set checks = 0, next_at = excluded.next_at`.execute(db);
}

/** Hostnames to check now. Their next check is set before the name servers are asked: a failure delays it as well. */
export async function claimDue(db: Database, limit: number): Promise<DueHostname[]> {
  await sql`delete from custom_hostname_checks where checks >= ${MAX_CHECKS} and next_at <= now()`.execute(
    db,
  );
  const { rows } = await sql<DueHostname>`
    update custom_hostname_checks c
    set checks = c.checks + 1, next_at = now() + least(interval '1 minute' * 2 ^ least(c.checks, 11), interval '1 day')
    from custom_hostnames h
    where h.id = c.custom_hostname_id and h.id in (
      select d.custom_hostname_id from custom_hostname_checks d where d.next_at <= now()
      order by d.next_at limit ${limit} for update skip locked)
    returning h.id, h.site_id as "siteId", h.hostname`.execute(db);
  return rows;
}
