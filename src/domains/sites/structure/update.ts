import type { Static } from 'typebox';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import { requireCondition } from '../../visitors/index.ts';
import { requirePath } from '../paths.ts';
import type { SiteRow } from '../policy.ts';
import { lockSite } from '../store.ts';
import { moveToGroup } from './move.ts';
import type { SiteSectionGroupPatch, SiteSectionPatch, SiteSpacePatch } from './schema.ts';
import * as sections from './section-store.ts';
import * as siteSpaces from './site-space-store.ts';

export async function updateSection(
  ctx: Context,
  site: SiteRow,
  id: string,
  patch: Static<typeof SiteSectionPatch>,
): Promise<void> {
  const { title, path, condition, icon, description, defaultSiteSpace, siteSectionGroupId } = patch;
  requireCondition(condition, 'body.condition');
  const columns = {
    ...(title === undefined ? {} : { title }),
    ...(path === undefined ? {} : { path: requirePath(path, 'section', 'path') }),
    ...(condition === undefined ? {} : { condition }),
    ...(icon === undefined ? {} : { icon: icon || null }),
    ...(description === undefined ? {} : { description: description || null }),
  };
  await lockSite(ctx.db, site.site_id);
  if (Object.keys(columns).length > 0) await sections.updateSection(ctx.db, id, columns);
  if (siteSectionGroupId !== undefined)
    await moveToGroup(ctx, site, { kind: 'section', id }, siteSectionGroupId);
  if (defaultSiteSpace !== undefined) await setDefault(ctx, defaultSiteSpace, id);
}

/** `sectionId` null: of a site without sections. */
async function setDefault(ctx: Context, siteSpaceId: string, sectionId: string | null): Promise<void> {
  if ((await siteSpaces.getSectionOf(ctx.db, siteSpaceId)) !== sectionId) {
    throw badRequest(`Site space "${siteSpaceId}" (body.defaultSiteSpace) belongs to another section.`, [
      { path: 'body.defaultSiteSpace', rule: 'must be a site space of this section' },
    ]);
  }
  await siteSpaces.setDefaultSiteSpace(ctx.db, siteSpaceId);
}

/** The default section of a site, and the default site space in it or at the root. */
export async function updateDefaults(
  ctx: Context,
  site: SiteRow,
  { section, siteSpace }: { readonly section: string | undefined; readonly siteSpace: string | undefined },
): Promise<void> {
  await lockSite(ctx.db, site.site_id);
  if (section !== undefined) await sections.setDefaultSection(ctx.db, site.site_id, section);
  if (siteSpace !== undefined)
    await setDefault(ctx, siteSpace, (await siteSpaces.findDefaultSection(ctx.db, site.site_id)) ?? null);
}

export async function updateGroup(
  ctx: Context,
  site: SiteRow,
  id: string,
  { title, icon, parentSectionGroupId }: Static<typeof SiteSectionGroupPatch>,
): Promise<void> {
  const columns = {
    ...(title === undefined ? {} : { title }),
    ...(icon === undefined ? {} : { icon: icon || null }),
  };
  await lockSite(ctx.db, site.site_id);
  if (Object.keys(columns).length > 0) await sections.updateGroup(ctx.db, id, columns);
  if (parentSectionGroupId !== undefined)
    await moveToGroup(ctx, site, { kind: 'group', id }, parentSectionGroupId);
}

export async function updateSiteSpace(
  ctx: Context,
  site: SiteRow,
  id: string,
  { path, condition, spaceId }: Static<typeof SiteSpacePatch>,
): Promise<void> {
  requireCondition(condition, 'body.condition');
  const columns = {
    ...(path === undefined ? {} : { path: requirePath(path, 'site space', 'path') }),
    ...(condition === undefined ? {} : { condition }),
    ...(spaceId === undefined ? {} : { space_id: spaceId }),
  };
  if (Object.keys(columns).length === 0) return;
  await lockSite(ctx.db, site.site_id);
  await siteSpaces.updateSiteSpace(ctx.db, id, columns);
}
