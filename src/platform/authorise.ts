import { CompiledQuery } from 'kysely';
import type { Cache } from './cache.ts';
import type { Caller } from './context.ts';
import type { Database } from './database/connection.ts';
import { forbidden, notFound } from './errors.ts';
import { gather } from './gather.ts';
import { may, type Authorised, type Reference, type Resource } from './resource.ts';

/**
 * The one place where an id becomes a row. Token, user, membership, grants and the row itself are one statement, so
 * that a request costs one round trip, and nothing between two queries can change who may see what.
 */
export interface Authority {
  /** Who holds the token, and the row at `locate` as they may see it. Undefined: no such token. */
  identify(
    db: Database,
    cache: Cache | undefined,
    tokenHash: Buffer,
    locate?: Locate,
  ): Promise<Identified | undefined>;
  /** The rows behind ids in the query or the body. One that is missing or may not be viewed is 404. */
  resolve(db: Database, callerId: string, wanted: readonly Wanted[]): Promise<References>;
}

export interface Locate {
  readonly resource: Resource;
  /** Undefined where the caller alone says which row it is. */
  readonly id: string | undefined;
  readonly withinId: string | undefined;
}

export interface Identified {
  readonly caller: Caller;
  readonly row: Authorised | undefined;
}

export interface Wanted extends Reference {
  readonly id: string;
  readonly withinId: string | undefined;
  /** The tenant it must belong to: ids of a request stay in one organization unless a reference says otherwise. */
  readonly tenantId: string | undefined;
  /** Where the id stood, for the message. */
  readonly path: string;
}

/** The column by which every row of a tenant carries it. */
export const TENANT = 'organization_id';

export interface References {
  of<R extends Authorised, A extends string>(resource: Resource<R, A>, id: string): R;
}

type Columns = Record<string, unknown>;

/**
 * `callerSql` selects `id, token_id, scopes, email, email_proven, expires_at` of the holder of token hash `$1`.
 */
export function createAuthority(callerSql: string): Authority {
  const texts = new Map<Resource | undefined, string>();
  const identifyText = (resource: Resource | undefined): string => {
    let text = texts.get(resource);
    if (!text) {
      text = resource
        ? `with caller as (${callerSql}) select ${CALLER_COLUMNS}, target.* from caller left join lateral (${parametrised(resource)}) target on true`
        : `with caller as (${callerSql}) select ${CALLER_COLUMNS} from caller`;
      texts.set(resource, text);
    }
    return text;
  };

  async function identify(db: Database, cache: Cache | undefined, tokenHash: Buffer, locate?: Locate) {
    const begun = cache?.begin();
    const tokenKey = `token ${tokenHash.toString('latin1')}`;
    if (cache && begun !== undefined) {
      const hit = fromCache(cache, tokenKey, locate);
      if (hit)
        return hit.row && locate?.resource.live ? { ...hit, row: await refreshed(db, locate, hit.row) } : hit;
    }
    const values: unknown[] = [tokenHash];
    if (locate?.id !== undefined) values.push([locate.id]);
    if (locate?.resource.within) values.push(locate.withinId);
    const result = await db.executeQuery<Columns>(CompiledQuery.raw(identifyText(locate?.resource), values));
    const found = result.rows[0];
    if (!found) return undefined;
    const caller = callerOf(found);
    const row = locate && found[locate.resource.key] !== null ? (found as unknown as Authorised) : undefined;
    if (cache && begun !== undefined) {
      cache.put(tokenKey, begun, [`user:${caller.id}`], { caller, expiresAt: found['caller_expires_at'] });
      const tags = locate && row && locate.resource.cacheTags?.(row);
      if (tags) cache.put(rowKey(caller.id, locate), begun, [`user:${caller.id}`, ...tags], row);
    }
    return { caller, row };
  }

  const live = new Map<Resource, (id: string) => Promise<Columns | undefined>>();
  const lastShown = new WeakMap<Authorised, Authorised>();

  /** A kept row with its counts as they are now. */
  async function refreshed(db: Database, { resource, id }: Locate, row: Authorised): Promise<Authorised> {
    let read = live.get(resource);
    if (!read) {
      read = gather((ids) => readLive(db, resource, ids));
      live.set(resource, read);
    }
    const fresh = (await read(id ?? '')) ?? {};
    const last = (lastShown.get(row) ?? row) as unknown as Columns;
    // The same object while nothing changed, so that what was made of it can be kept with it.
    if (Object.entries(fresh).every(([column, value]) => last[column] === value))
      return last as unknown as Authorised;
    const shown = { ...row, ...fresh };
    lastShown.set(row, shown);
    return shown;
  }

  async function resolve(db: Database, callerId: string, wanted: readonly Wanted[]): Promise<References> {
    const rows = new Map<string, Authorised>();
    // An alias (an e-mail address) is found in any case; an id only as it is.
    const rowOf = (resource: Resource, id: string) =>
      rows.get(`${numberOf(resource)} ${id}`) ??
      (resource.alias ? rows.get(`${numberOf(resource)} ${id.toLowerCase()}`) : undefined);
    for (const { resource, withinId, wants } of grouped(wanted)) {
      const text = `with caller as (select $1::text as id) select target.* from caller, lateral (${parametrised(resource)}) target`;
      const ids = [...new Set(wants.map((want) => want.id))];
      const values = resource.within ? [callerId, ids, withinId] : [callerId, ids];
      const result = await db.executeQuery<Columns>(CompiledQuery.raw(text, values));
      for (const row of result.rows) {
        for (const column of [resource.key, resource.alias]) {
          if (column) rows.set(`${numberOf(resource)} ${String(row[column])}`, row as unknown as Authorised);
        }
      }
      for (const want of wants) check(want, rowOf(resource, want.id), callerId);
    }
    return {
      of<R extends Authorised, A extends string>(resource: Resource<R, A>, id: string): R {
        const row = rowOf(resource, id);
        if (!row) throw new Error(`${resource.name} ${id} was not declared as an id of this request`);
        return row as R;
      },
    };
  }

  return { identify, resolve };
}

async function readLive(
  db: Database,
  { live, key }: Resource,
  ids: readonly string[],
): Promise<Map<string, Columns>> {
  const result = await db.executeQuery<Columns>(CompiledQuery.raw(live ?? '', [ids]));
  return new Map(result.rows.map((row) => [String(row[key]), row]));
}

function check(want: Wanted, row: Authorised | undefined, callerId: string): void {
  const tenant = (row as Columns | undefined)?.[TENANT];
  const isElsewhere = want.tenantId !== undefined && tenant !== undefined && tenant !== want.tenantId;
  if (!row || isElsewhere) throw notFound(`${want.resource.name} "${want.id}" (${want.path})`);
  if (!may(want.resource, want.action, row, callerId)) {
    throw forbidden(`You may not use ${want.resource.name.toLowerCase()} "${want.id}" (${want.path}) here.`);
  }
}

/** One statement per kind of resource (and enclosing resource), however many ids there are. */
function grouped(wanted: readonly Wanted[]) {
  const groups: { resource: Resource; withinId: string | undefined; wants: Wanted[] }[] = [];
  for (const want of wanted) {
    const group = groups.find(
      ({ resource, withinId }) => resource === want.resource && withinId === want.withinId,
    );
    if (group) group.wants.push(want);
    else groups.push({ resource: want.resource, withinId: want.withinId, wants: [want] });
  }
  return groups;
}

const CALLER_COLUMNS =
  'caller.id as caller_id, caller.token_id as caller_token_id, caller.scopes as caller_scopes, ' +
  'caller.email as caller_email, caller.email_proven as caller_email_proven, caller.expires_at as caller_expires_at';

const parametrised = ({ rows, match }: Resource) =>
  `${rows} and ${match.replaceAll(':ids', '$2').replaceAll(':within', '$3')}`;

const numbers = new Map<Resource, number>();

/** Two resources may have one name, and show different rows of it: what is found by one is nothing to the other. */
function numberOf(resource: Resource): number {
  const number = numbers.get(resource) ?? numbers.size;
  numbers.set(resource, number);
  return number;
}

const rowKey = (callerId: string, { resource, id, withinId }: Locate) =>
  `${numberOf(resource)} ${callerId} ${id ?? ''} ${withinId ?? ''}`;

function callerOf(found: Columns): Caller {
  return {
    id: found['caller_id'] as string,
    tokenId: found['caller_token_id'] as string,
    scopes: found['caller_scopes'] as string[] | null,
    email: found['caller_email'] as string,
    emailProven: found['caller_email_proven'] as boolean,
  };
}

function fromCache(cache: Cache, tokenKey: string, locate: Locate | undefined): Identified | undefined {
  const token = cache.get(tokenKey) as { caller: Caller; expiresAt: Date | null } | undefined;
  if (!token || (token.expiresAt && token.expiresAt.getTime() <= Date.now())) return undefined;
  if (!locate) return { caller: token.caller, row: undefined };
  if (!locate.resource.cacheTags) return undefined;
  const row = cache.get(rowKey(token.caller.id, locate)) as Authorised | undefined;
  return row && { caller: token.caller, row };
}
