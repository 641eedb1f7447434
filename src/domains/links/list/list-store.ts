import { sql, type RawBuilder } from 'kysely';
import { RowGone, type Database } from '../../../platform/database/connection.ts';
import { CONTENT_COLUMNS, type ContentRow } from '../../revisions/index.ts';
import type { LinkOverlay, LinkRow, TargetColumns } from '../../link-index/index.ts';
import { hasStatus, isBroken, isInApp, matches, presentOutside, type LinkFilter } from './status-store.ts';
import { tablesOf, withTables, type LinkTables } from './version-store.ts';
import type { Viewer } from './viewer-store.ts';

export interface Location {
  readonly id: string;
  /** The address as written. */
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
  readonly total: number;
  readonly broken: number;
  /** Broken links that the change request causes. Null: it is the space that is listed. */
  readonly broken_by_request: number | null;
  /** The count of the requested status. */
  readonly count: number;
  readonly items: readonly LinkItem[];
}

/** Sources that are named with a target; `sources` is how many there are. */
const MAX_LOCATIONS = 20;

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
  const common = viewer.hasOutside
    ? [...tables.common, presentOutside(viewer, tables, within)]
    : tables.common;
  const { rows } = await sql<LinkPage>`
    ${withTables(common)}
    select s.organization_id, s.id as space_id, ${sql.raw(CONTENT_COLUMNS)}, ${counted.columns},
      coalesce((
        select json_agg(item order by item.key) from (
          select t.key, t.relation, t.kind, t.target_space_id, t.target_id, t.anchor, t.url,
            ${sourceId === undefined ? sql`t.sources` : sql`1 as sources`}, t.checked_at, t.problem,
            ${isInApp(viewer)} as in_app, ${isBroken(viewer)} as is_broken, (
              select coalesce(json_agg(json_build_object('id', source_id, 'href', href)), '[]') from (
                select distinct on (l.source_id) l.source_id, l.href
                from ${tables.remainingLinksWhere(sql`l.target = t.key ${ofSource}`)} l
                order by l.source_id limit ${MAX_LOCATIONS}) l) as locations
          from ${tables.targetsWhere(listed, limit)} t
          order by t.key limit ${limit}
        ) item), '[]') as items
    from spaces s join revisions rv on rv.id = s.revision_id left join link_indexes i on i.space_id = s.id
      ${counted.from}
    where s.id = ${spaceId} and s.deleted_at is null`.execute(db);
  const [page] = rows;
  if (!page) throw new RowGone(`The space ${spaceId} was deleted`);
  return overlay ? { ...page, items: withNewLocations(page.items, overlay.added, sourceId) } : page;
}

/** Adds the links of another version. Here, because the statement would read all of them for each target. */
function withNewLocations(
  items: readonly LinkItem[],
  added: readonly LinkRow[],
  sourceId: string | undefined,
): LinkItem[] {
  const locations = new Map(
    items.map(({ key, locations }) => [key, new Map(locations.map((each) => [each.id, each]))]),
  );
  for (const { key, source_id: id, href } of added)
    if (sourceId === undefined || id === sourceId) locations.get(key)?.set(id, { id, href });
  return items.map((item) => {
    const all = [...(locations.get(item.key)?.values() ?? [])].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return { ...item, locations: all.slice(0, MAX_LOCATIONS) };
  });
}

/** `total`, `broken`, `broken_by_request` and `count` of the targets of a page, read once. */
const countsOfPage = (viewer: Viewer, { status }: LinkFilter, targets: RawBuilder<unknown>) => sql`
  cross join lateral (
    select count(*)::int as total, count(*) filter (where ${hasStatus(viewer, 'broken')})::int as broken,
      null::int as broken_by_request, count(*) filter (where ${hasStatus(viewer, status)})::int as count
    from ${targets} t) counts`;

/** Counts of a whole space: only targets outside and those of this platform are counted now. */
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
