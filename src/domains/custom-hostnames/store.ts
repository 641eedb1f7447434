import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { newId } from '../../platform/api/ids.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { customHostnames, type CustomHostnameRow } from './policy.ts';
import type { HostnameStatus } from './schema.ts';

/** Records that a site asks for a hostname. */
export async function insertHostname(db: Database, siteId: string, hostname: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into custom_hostnames as h (id, site_id, hostname) values (${newId()}, ${siteId}, ${hostname})
    on conflict (site_id, hostname) do update set hostname = h.hostname
    returning id`.execute(db);
  const [inserted] = rows;
  if (!inserted) throw new Error('an upsert returned no row');
  return inserted.id;
}

export const getHostname = (db: Database, callerId: string, id: string): Promise<CustomHostnameRow> =>
  visibleRows(db, customHostnames, callerId)
    .selectAll()
    .where('custom_hostname_id', '=', id)
    .executeTakeFirstOrThrow();

export interface ActiveHostname {
  readonly id: string;
  readonly site_id: string;
  readonly proven_by: 'dns' | 'operator';
}

const lock = (db: Database, what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`custom-hostname ${what}`}, 44))`.execute(db);

/**
 * The site that has the hostname. Of two sites that prove it, or of two hostnames that a site proves, the second one waits
 * for the first: advisory locks, because the other row may not be committed yet. The site first, always, so that they
 * do not deadlock.
 */
export async function lockActive(
  db: Database,
  siteId: string,
  hostname: string,
): Promise<ActiveHostname | undefined> {
  await lock(db, siteId);
  await lock(db, hostname);
  const { rows } = await sql<ActiveHostname>`
    select id, site_id, proven_by from custom_hostnames
    where hostname = ${hostname} and proven_by is not null for update`.execute(db);
  return rows[0];
}

export interface Replaced {
  readonly hostname: string;
  readonly site_id: string;
  readonly title: string;
}

/** The hostnames that an activation would replace: one of another site, or another one of the site. */
export async function lockReplaced(
  db: Database,
  siteId: string,
  hostname: string,
): Promise<Replaced | undefined> {
  await lockActive(db, siteId, hostname);
  const { rows } = await sql<Replaced>`
    select h.hostname, h.site_id, t.title from custom_hostnames h join sites t on t.id = h.site_id
    where h.proven_by is not null and (h.hostname = ${hostname}) <> (h.site_id = ${siteId})
    order by h.hostname = ${hostname} desc limit 1`.execute(db);
  return rows[0];
}

export async function setStatus(db: Database, id: string, status: HostnameStatus): Promise<void> {
  await sql`
    update custom_hostnames set status = ${status}, checked_at = now(), version = version + 1
    where id = ${id} and status <> ${status}`.execute(db);
}

/** Gives the hostname to the site of this row: not to another one, and no other hostname to this one. */
export async function activate(
  db: Database,
  { id, siteId, hostname }: { readonly id: string; readonly siteId: string; readonly hostname: string },
  provenBy: 'dns' | 'operator',
): Promise<void> {
  await sql`
    update custom_hostnames set proven_by = null, status = 'dns_wrong_cname', version = version + 1
    where id <> ${id} and proven_by is not null and (hostname = ${hostname} or site_id = ${siteId})`.execute(
    db,
  );
  await sql`
    update custom_hostnames set proven_by = ${provenBy}, status = 'live', checked_at = now(), version = version + 1
    where id = ${id} and proven_by is distinct from ${provenBy}`.execute(db);
  // Older requests of the site must not replace it later.
  await sql`
    delete from custom_hostname_checks c using custom_hostnames h
    where h.id = c.custom_hostname_id and h.site_id = ${siteId}`.execute(db);
}

export const deleteHostname = (db: Database, id: string) =>
  db.deleteFrom('custom_hostnames').where('id', '=', id).execute();

/** Lists all requested hostnames, for the command line. */
export const listAllHostnames = (db: Database) =>
  db
    .selectFrom('custom_hostnames as h')
    .innerJoin('sites as t', 't.id', 'h.site_id')
    .select(['h.id', 'h.hostname', 'h.site_id', 't.title', 'h.proven_by'])
    .orderBy('h.hostname')
    .orderBy('h.created_at')
    .execute();

export const findSite = (db: Database, id: string) =>
  db.selectFrom('sites').select(['id', 'title']).where('id', '=', id).executeTakeFirst();
