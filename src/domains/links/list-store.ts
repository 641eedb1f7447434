import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import type { Resource } from '../../platform/api/resource.ts';
import { organizations, type OrganizationRow } from '../organizations/index.ts';
import { CONTENT_COLUMNS, type ContentRow } from '../revisions/index.ts';
import { spaces, type SpaceRow } from '../spaces/index.ts';
import { isUrlOf, type LinkOverlay, type TargetColumns } from '../link-index/index.ts';
import { tablesOf, type LinkTables } from './version-store.ts';

export type LinkStatus = 'ok' | 'broken' | 'in-app';
/** Broken links that a change request causes, or the others. */
export type BrokenContext = 'change-request' | 'space';

/** What a caller may view of the targets outside of a space. */
export interface Viewer {
  readonly callerId: string;
  readonly organizationId: string;
  /** A guest sees no other users. */
  readonly isGuest: boolean;
  /** Ids of the spaces and collections of the organization that the caller may view, among the targets. */
  readonly spaces: readonly string[];
  readonly collections: readonly string[];
  /** Whether the space has targets outside at all. */
  readonly hasOutside: boolean;
  /** The public address of this platform, without a trailing slash. */
  readonly platform: string;
}

/** The spaces and collections that links of a space lead to. */
export interface Outside {
  readonly hasOutside: boolean;
  readonly spaces: readonly string[];
  readonly collections: readonly string[];
}

/** A space and its organization as the caller sees them, and what its links lead to. */
export interface Surroundings {
  readonly space: SpaceRow | undefined;
  readonly organization: OrganizationRow | undefined;
  readonly outside: Outside;
}

/** A row as JSON has it. */
type Json<R> = {
  readonly [K in keyof R]: R[K] extends Date ? string : R[K] extends Date | null ? string | null : R[K];
};

interface SurroundingRows {
  readonly space: Json<SpaceRow> | null;
  readonly organization: Json<OrganizationRow> | null;
  readonly outside: readonly { readonly space: string | null; readonly collection: string | null }[];
}

const visibleAsJson = ({ rows, key }: Resource, callerId: string, id: string) => sql`(
  select row_to_json(target) from (select ${callerId}::text as id) caller, lateral (${sql.raw(rows)}) target
  where target.${sql.ref(key)} = ${id})`;

/** In one statement: these rows are a third of the time of a list. */
export async function readSurroundings(
  db: Database,
  callerId: string,
  { space_id: spaceId, organization_id: organizationId }: Pick<ContentRow, 'space_id' | 'organization_id'>,
): Promise<Surroundings> {
  const { rows } = await sql<SurroundingRows>`
    select ${visibleAsJson(spaces, callerId, spaceId)} as space,
      ${visibleAsJson(organizations, callerId, organizationId)} as organization, coalesce((
        select json_agg(target) from (
          select distinct target_space_id as space, case kind when 'collection' then target_id end as collection
          from link_targets where space_id = ${spaceId} and broken is null) target), '[]') as outside`.execute(
    db,
  );
  const { space = null, organization = null, outside = [] } = rows[0] ?? {};
  return {
    space: space
      ? {
          ...space,
          created_at: new Date(space.created_at),
          updated_at: new Date(space.updated_at),
          deleted_at: space.deleted_at === null ? null : new Date(space.deleted_at),
        }
      : undefined,
    organization: organization
      ? { ...organization, created_at: new Date(organization.created_at) }
      : undefined,
    outside: {
      hasOutside: outside.length > 0,
      spaces: outside.flatMap((each) => each.space ?? []),
      collections: outside.flatMap((each) => each.collection ?? []),
    },
  };
}

/**
 * Whether the target `t` is broken for the caller. Lists, counts and filters use this one expression, so that they cannot
 * disagree. A space that is not indexed yet counts as having every entry.
 */
const isBroken = ({ callerId, organizationId, isGuest, spaces, collections }: Viewer) => sql<boolean>`
  coalesce(t.broken, case t.kind
    when 'space' then not t.target_space_id = any(${[...spaces]}::text[])
    when 'collection' then not t.target_id = any(${[...collections]}::text[])
    when 'user' then not exists (select from members m
      where m.organization_id = ${organizationId} and m.user_id = t.target_id
        and (not ${isGuest}::boolean or m.user_id = ${callerId}))
    when 'openapi' then true
    else not (t.target_space_id = any(${[...spaces]}::text[]) and (
      exists (select from link_entries e
        where e.space_id = t.target_space_id and e.entry_id = t.target_id and e.kind = t.kind
          and (t.anchor is null or has_anchor(e.space_id, e.kind, e.entry_id, t.anchor)))
      or exists (select from spaces s join revisions rv on rv.id = s.revision_id
        where s.id = t.target_space_id and rv.root is not null
          and not exists (select from link_indexes x where x.space_id = s.id))))
  end)`;

/** Whether the target `t` is a URL of this platform. */
const isInApp = ({ platform }: Viewer) => isUrlOf(platform);

function matches(viewer: Viewer, { status, brokenContext }: LinkFilter): RawBuilder<boolean> {
  if (brokenContext === undefined) return hasStatus(viewer, status);
  const broken = hasStatus(viewer, 'broken');
  return brokenContext === 'space' ? sql`not t.is_new and ${broken}` : sql`t.is_new and ${broken}`;
}

function hasStatus(viewer: Viewer, status: LinkStatus | undefined): RawBuilder<boolean> {
  switch (status) {
    case undefined:
      return sql<boolean>`true`;
    case 'in-app':
      return isInApp(viewer);
    case 'broken':
      // Without targets outside, the partial index answers.
      return viewer.hasOutside
        ? sql<boolean>`t.broken is not false and ${isBroken(viewer)} and not ${isInApp(viewer)}`
        : sql<boolean>`t.broken and not ${isInApp(viewer)}`;
    case 'ok':
      return sql<boolean>`not ${isInApp(viewer)} and not ${isBroken(viewer)}`;
  }
}

export interface Location {
  readonly id: string;
  /** As written there. */
  readonly href: string | null;
}

export interface LinkItem extends TargetColumns {
  readonly in_app: boolean;
  readonly is_broken: boolean;
  readonly sources: number;
  readonly checked_at: string | null;
  readonly problem: string | null;
  readonly locations: readonly Location[];
}

export interface LinkPage extends Omit<ContentRow, 'role'> {
  readonly is_indexed: boolean;
  readonly total: number;
  readonly broken: number;
  /** Broken links that the change request causes. Null: it is the space that is listed. */
  readonly broken_by_request: number | null;
  /** Of the requested status. */
  readonly count: number;
  readonly items: readonly LinkItem[];
}

/** Sources that are named with a target; `sources` is how many there are. */
const MAX_LOCATIONS = 20;

export interface LinkFilter {
  readonly status: LinkStatus | undefined;
  /** Of broken links; needs an overlay. */
  readonly brokenContext?: BrokenContext | undefined;
  /** The links of this page only. */
  readonly sourceId?: string;
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * One page of the targets of a space, one more than `limit`, with the revision that they are of: both are read by one
 * statement, so that they belong together. `overlay`: of another version of the content.
 */
export async function listTargets(
  db: Database,
  spaceId: string,
  viewer: Viewer,
  filter: LinkFilter,
  overlay?: LinkOverlay,
): Promise<LinkPage> {
  const { sourceId, after, limit } = filter;
  const tables = tablesOf(spaceId, overlay);
  const within =
    sourceId === undefined
      ? sql`true`
      : sql`t.key in (select own.target from ${tables.linksWhere(sql`l.source_id = ${sourceId}`)} own)`;
  const isAfter = after === undefined ? sql`true` : sql`t.key > ${after}::uuid`;
  const listed = sql`${within} and ${matches(viewer, filter)} and ${isAfter}`;
  const ofSource = sourceId === undefined ? sql`` : sql`and l.source_id = ${sourceId}`;
  const counted =
    sourceId === undefined
      ? { columns: countsOfSpace(viewer, filter, tables), from: sql`` }
      : { columns: sql`counts.*`, from: countsOfPage(viewer, filter, tables.targetsWhere(within)) };
  const { rows } = await sql<LinkPage>`
    ${tables.with}
    select s.organization_id, s.id as space_id, ${sql.raw(CONTENT_COLUMNS)},
      i.space_id is not null or rv.root is null as is_indexed, ${counted.columns},
      coalesce((
        select json_agg(item order by item.key) from (
          select t.key, t.relation, t.kind, t.target_space_id, t.target_id, t.anchor, t.url,
            ${sourceId === undefined ? sql`t.sources` : sql`1 as sources`}, t.checked_at, t.problem,
            ${isInApp(viewer)} as in_app, ${isBroken(viewer)} as is_broken, (
              select coalesce(json_agg(json_build_object('id', source_id, 'href', href)), '[]') from (
                select distinct on (l.source_id) l.source_id, l.href
                from ${tables.linksWhere(sql`l.target = t.key ${ofSource}`)} l
                order by l.source_id limit ${MAX_LOCATIONS}) l) as locations
          from ${tables.targetsWhere(listed, limit)} t
          order by t.key limit ${limit}
        ) item), '[]') as items
    from spaces s join revisions rv on rv.id = s.revision_id left join link_indexes i on i.space_id = s.id
      ${counted.from}
    where s.id = ${spaceId} and s.deleted_at is null`.execute(db);
  const [page] = rows;
  if (!page) throw new Error(`The space ${spaceId} is not there`);
  return page;
}

/** `total`, `broken`, `broken_by_request` and `count` of the targets of a page, read once. */
const countsOfPage = (viewer: Viewer, { status }: LinkFilter, targets: RawBuilder<unknown>) => sql`
  cross join lateral (
    select count(*)::int as total, count(*) filter (where ${hasStatus(viewer, 'broken')})::int as broken,
      null::int as broken_by_request, count(*) filter (where ${hasStatus(viewer, status)})::int as count
    from ${targets} t) counts`;

/** The same of a whole space, where only targets outside and those of this platform are counted now. */
function countsOfSpace(viewer: Viewer, filter: LinkFilter, tables: LinkTables) {
  const { status, brokenContext } = filter;
  const countOf = (condition: RawBuilder<boolean>) =>
    sql`(select count(*)::int from ${tables.targetsWhere(condition)} t)`;
  const outside = viewer.hasOutside
    ? countOf(sql<boolean>`t.broken is null and ${isBroken(viewer)}`)
    : sql`0`;
  const total = sql`coalesce(i.targets, 0) + ${tables.targetCount}::int`;
  const broken = sql`coalesce(i.broken, 0) + ${tables.brokenCount}::int + ${outside}`;
  const inApp = countOf(isInApp(viewer));
  const ofStatus = {
    ok: sql`(${total}) - (${broken}) - ${inApp}`,
    broken,
    'in-app': inApp,
  };
  const byRequest = tables.hasOverlay
    ? countOf(matches(viewer, { ...filter, brokenContext: 'change-request' }))
    : sql`null::int`;
  const count = brokenContext ? countOf(matches(viewer, filter)) : status ? ofStatus[status] : total;
  return sql`${total} as total, ${broken} as broken, ${byRequest} as broken_by_request, ${count} as count`;
}

/** The primary revisions of other spaces. */
export async function listPrimaries(
  db: Database,
  spaceIds: readonly string[],
): Promise<Omit<ContentRow, 'role'>[]> {
  if (spaceIds.length === 0) return [];
  const { rows } = await sql<Omit<ContentRow, 'role'>>`
    select s.organization_id, s.id as space_id, ${sql.raw(CONTENT_COLUMNS)}
    from spaces s join revisions rv on rv.id = s.revision_id
    where s.id = any(${[...spaceIds]}::text[]) and s.deleted_at is null`.execute(db);
  return rows;
}

/** The spaces, besides the entry's own, with links to an entry. */
export async function listLinkingSpaces(db: Database, spaceId: string, entryId: string): Promise<string[]> {
  const { rows } = await sql<{ space_id: string }>`
    select distinct space_id from link_targets
    where target_space_id = ${spaceId} and target_id = ${entryId}
      and kind in ('page', 'file', 'reusable-content')`.execute(db);
  return rows.map((row) => row.space_id);
}

export interface BacklinkRow {
  /** 0: in the space of the entry; these come first. */
  readonly is_other: number;
  readonly space_id: string;
  readonly source_id: string;
}

/** The sources of links to an entry, in these spaces and its own; one more than `limit`. */
export async function listSources(
  db: Database,
  entry: { readonly spaceId: string; readonly kind: string; readonly id: string },
  spaces: readonly string[],
  after: readonly (string | number)[] | undefined,
  limit: number,
  overlay?: LinkOverlay,
): Promise<{ readonly rows: BacklinkRow[]; readonly count: number }> {
  const { spaceId, kind, id } = entry;
  const tables = tablesOf(spaceId, overlay);
  const others = spaces.filter((space) => space !== spaceId);
  // A link of the space itself may name it, too.
  const all = sql`
    select distinct 0 as is_other, l.space_id, l.source_id
    from ${tables.targetsWhere(sql`t.kind = ${kind} and t.target_id = ${id}
      and (t.target_space_id is null or t.target_space_id = ${spaceId})`)} t
    cross join lateral ${tables.linksWhere(sql`l.target = t.key`)} l
    union all
    select distinct 1, l.space_id, l.source_id
    from link_targets t join links l on l.space_id = t.space_id and l.target = t.key
    where t.space_id = any(${others}::text[]) and t.kind = ${kind} and t.target_id = ${id}
      and t.target_space_id = ${spaceId}`;
  const [isOther = -1, space = '', source = ''] = after ?? [];
  const { rows } = await sql<{ readonly rows: BacklinkRow[]; readonly count: number }>`
    ${tables.with}
    select page.* from (
      with sources as (${all})
      select (select count(*)::int from sources) as count, coalesce((
        select json_agg(source order by is_other, space_id, source_id) from (
          select * from sources
          where (is_other, space_id, source_id) > (${isOther}::int, ${space}::text, ${source}::text)
          order by is_other, space_id, source_id limit ${limit}) source), '[]') as rows) page`.execute(db);
  return rows[0] ?? { rows: [], count: 0 };
}

/** Whether the links of a space are indexed. An empty space has none. */
export async function isIndexed(db: Database, spaceId: string): Promise<boolean> {
  const { rows } = await sql<{ is_indexed: boolean }>`
    select rv.root is null or exists (select from link_indexes i where i.space_id = s.id) as is_indexed
    from spaces s join revisions rv on rv.id = s.revision_id where s.id = ${spaceId}`.execute(db);
  return rows[0]?.is_indexed ?? false;
}
