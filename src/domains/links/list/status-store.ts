import { sql, type RawBuilder } from 'kysely';
import { isUrlOf } from '../../link-index/index.ts';
import type { LinkTables } from './version-store.ts';
import type { Viewer } from './viewer-store.ts';

export type LinkStatus = 'ok' | 'broken' | 'in-app';
/** Broken links that a change request causes, or the others. */
export type BrokenContext = 'change-request' | 'space';

export interface LinkFilter {
  readonly status: LinkStatus | undefined;
  /** The context of broken links, which needs an overlay. */
  readonly brokenContext?: BrokenContext | undefined;
  /** The links of this page only. */
  readonly sourceId?: string;
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Whether the target `t` is broken for the caller. Lists, counts and filters use this one expression, so that they cannot
 * disagree.
 */
export const isBroken = (viewer: Viewer): RawBuilder<boolean> =>
  // Targets outside are most of the plan, and most spaces have none.
  viewer.hasOutside ? isBrokenAnywhere(viewer) : sql<boolean>`coalesce(t.broken, true)`;

const isBrokenAnywhere = ({ callerId, organizationId, isGuest, spaces, collections }: Viewer) => sql<boolean>`
  coalesce(t.broken, case t.kind
    when 'space' then not t.target_space_id = any(${[...spaces]}::text[])
    when 'collection' then not t.target_id = any(${[...collections]}::text[])
    when 'user' then not exists (select from members m
      where m.organization_id = ${organizationId} and m.user_id = t.target_id
        and (not ${isGuest}::boolean or m.user_id = ${callerId}))
    when 'openapi' then true
    else not (t.target_space_id = any(${[...spaces]}::text[])
      and exists (select from link_entries e
        where e.space_id = t.target_space_id and e.entry_id = t.target_id and e.kind = t.kind
          and (t.anchor is null or (t.target_space_id, t.kind, t.target_id, t.anchor) in (
            select space_id, kind, entry_id, anchor from present_outside))))
  end)`;

/**
 * The table of the anchors that targets in other spaces have. Made once for a list: what a page includes would otherwise
 * be found again for each link to an anchor of it.
 */
export const presentOutside = ({ spaces }: Viewer, tables: LinkTables, within: RawBuilder<unknown>) => sql`
  present_outside as materialized (
    select p.* from (
      select array_agg(t.target_space_id) as spaces, array_agg(t.kind) as kinds, array_agg(t.target_id) as entries,
        array_agg(t.anchor) as anchors
      from ${tables.targetsWhere(sql`${within} and t.broken is null and t.anchor is not null
        and t.target_space_id = any(${[...spaces]}::text[])`)} t
    ) asked, present_anchors(asked.spaces, asked.kinds, asked.entries, asked.anchors) p)`;

/** Whether the target `t` is a URL of this platform. */
export const isInApp = ({ platform }: Viewer) => isUrlOf(platform);

export function matches(viewer: Viewer, { status, brokenContext }: LinkFilter): RawBuilder<boolean> {
  if (brokenContext === undefined) return hasStatus(viewer, status);
  const broken = hasStatus(viewer, 'broken');
  return brokenContext === 'space' ? sql`not t.is_new and ${broken}` : sql`t.is_new and ${broken}`;
}

export function hasStatus(viewer: Viewer, status: LinkStatus | undefined): RawBuilder<boolean> {
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
