import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { findOpenedSite, findSpaces } from '../../spaces/index.ts';
import type { SiteRow, SiteSectionGroupRow, SiteSectionRow, SiteSpaceRow } from '../policy.ts';
import { presentGroup, presentSection, presentSiteSpace, type SiteView } from './present.ts';
import * as store from './store.ts';

interface Rows {
  readonly sections?: readonly SiteSectionRow[];
  readonly groups?: readonly SiteSectionGroupRow[];
  readonly siteSpaces: readonly SiteSpaceRow[];
}

/** Adds the spaces to rows of the structure, and the key that the caller sent, if it opens the site. */
export async function viewOf(ctx: Context, site: SiteRow, rows: Rows, key?: string): Promise<SiteView> {
  const opened = await findOpenedSite(ctx, key);
  const spaces = await findSpaces(ctx.db, ctx.caller.id, [
    ...new Set(rows.siteSpaces.map((row) => row.space_id)),
  ]);
  return {
    site,
    callerId: ctx.caller.id,
    addresses: ctx.addresses,
    opened,
    keySegment: opened?.siteId === site.site_id ? [opened.key] : [],
    sections: rows.sections ?? [],
    groups: rows.groups ?? [],
    siteSpaces: rows.siteSpaces.flatMap((row) => {
      const space = spaces.get(row.space_id);
      return space ? [{ ...row, space }] : [];
    }),
  };
}

/** The whole structure of a site, as the caller may view it. */
export async function readStructure(ctx: Context, site: SiteRow, key?: string): Promise<SiteView> {
  const { db, caller } = ctx;
  const sections = await store.listSections(db, caller.id, site.site_id);
  const groups = await store.listGroups(db, caller.id, site.site_id);
  const siteSpaces = await store.listSiteSpaces(db, caller.id, site.site_id);
  return viewOf(ctx, site, { sections, groups, siteSpaces }, key);
}

export async function readSection(ctx: Context, site: SiteRow, id: string, key?: string) {
  const { db, caller } = ctx;
  const section = await store.getSection(db, caller.id, site.site_id, id);
  const siteSpaces = await store.listSiteSpaces(db, caller.id, site.site_id, [id]);
  return presentSection(await viewOf(ctx, site, { siteSpaces }, key), section);
}

export async function readGroup(ctx: Context, site: SiteRow, id: string) {
  const view = await readStructure(ctx, site);
  const group = view.groups.find((row) => row.site_section_group_id === id);
  if (!group) throw notFound('Site section group');
  return presentGroup(view, group);
}

export async function readSiteSpace(ctx: Context, site: SiteRow, id: string, key?: string) {
  const row = await store.getSiteSpace(ctx.db, ctx.caller.id, site.site_id, id);
  const view = await viewOf(ctx, site, { siteSpaces: [row] }, key);
  const [siteSpace] = view.siteSpaces;
  if (!siteSpace) throw notFound('Site space');
  return presentSiteSpace(view, siteSpace);
}
