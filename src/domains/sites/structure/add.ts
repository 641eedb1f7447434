import type { Static } from 'typebox';
import type { Context } from '../../../platform/api/context.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import type { SpaceRow } from '../../spaces/index.ts';
import { freePath } from '../paths.ts';
import type { SiteRow } from '../policy.ts';
import { lockSite } from '../store.ts';
import { positionFor, positionsAtEnd } from './order.ts';
import type { NewSiteSection, NewSiteSectionGroup } from './schema.ts';
import * as sections from './section-store.ts';
import * as siteSpaces from './site-space-store.ts';

/** Limits of one site: its structure is read as a whole. */
const MAX: siteSpaces.StructureCounts = { sections: 500, groups: 500, siteSpaces: 1000 };

const NAMES: Readonly<Record<keyof siteSpaces.StructureCounts, string>> = {
  sections: 'sections',
  groups: 'section groups',
  siteSpaces: 'site spaces',
};

async function requireRoom(
  ctx: Context,
  site: SiteRow,
  kind: keyof siteSpaces.StructureCounts,
  added = 1,
): Promise<void> {
  const counts = await siteSpaces.countStructure(ctx.db, site.site_id);
  if (counts[kind] + added > MAX[kind])
    throw badRequest(`A site has at most ${MAX[kind]} ${NAMES[kind]}. Delete one first.`);
}

/** Appends spaces to a section; without one, to the default section, or to the root of a site without sections. */
export async function addSiteSpaces(
  ctx: Context,
  site: SiteRow,
  spaces: readonly SpaceRow[],
  sectionId?: string,
): Promise<string[]> {
  await lockSite(ctx.db, site.site_id);
  await requireRoom(ctx, site, 'siteSpaces', spaces.length);
  const section = sectionId ?? (await siteSpaces.findDefaultSection(ctx.db, site.site_id)) ?? null;
  const items = await siteSpaces.listSectionItems(ctx.db, site.site_id, section);
  const taken = new Set(items.map(({ path }) => path.toLowerCase()));
  const positions = positionsAtEnd(items, spaces.length);
  const added: string[] = [];
  for (const [index, space] of spaces.entries()) {
    const path = freePath(space.title, 'site space', taken);
    taken.add(path);
    const row = { sectionId: section, spaceId: space.space_id, path, position: positions[index] ?? '' };
    added.push(await siteSpaces.insertSiteSpace(ctx.db, site, row));
  }
  return added;
}

/** Appends a section to the root of the site. The first one takes over the site spaces of the root. */
export async function addSection(
  ctx: Context,
  site: SiteRow,
  input: Omit<Static<typeof NewSiteSection>, 'spaceId'>,
  space: SpaceRow,
): Promise<string> {
  await lockSite(ctx.db, site.site_id);
  await requireRoom(ctx, site, 'sections');
  const title = input.title ?? (space.title.length < 2 ? 'Untitled' : space.title);
  const path = freePath(title, 'section', await sections.listSectionPaths(ctx.db, site.site_id));
  const level = await sections.listLevel(ctx.db, site.site_id, null);
  const root = await siteSpaces.listSectionItems(ctx.db, site.site_id, null);
  const position = positionFor(level, {});
  const id = await sections.insertSection(ctx.db, site.site_id, {
    title,
    path,
    icon: input.icon || null,
    position,
  });
  await siteSpaces.moveRootToSection(ctx.db, site.site_id, id);
  // Moving it made another one the default.
  const formerDefault = root.find(({ isDefault }) => isDefault);
  if (formerDefault) await siteSpaces.setDefaultSiteSpace(ctx.db, formerDefault.id);
  if (!root.some(({ spaceId }) => spaceId === space.space_id)) await addSiteSpaces(ctx, site, [space], id);
  return id;
}

/** Appends a group to another one, or to the root, and moves the sections into it. */
export async function addGroup(
  ctx: Context,
  site: SiteRow,
  input: Static<typeof NewSiteSectionGroup>,
): Promise<string> {
  await lockSite(ctx.db, site.site_id);
  await requireRoom(ctx, site, 'groups');
  const parentId = input.parent ?? null;
  if ((await sections.getGroupPath(ctx.db, parentId)).length >= MAX_GROUP_DEPTH) throw tooDeep();
  const position = positionFor(await sections.listLevel(ctx.db, site.site_id, parentId), {});
  const group = { title: input.title, icon: input.icon || null, parentId, position };
  const id = await sections.insertGroup(ctx.db, site.site_id, group);
  const members = [...new Set(input.sections ?? [])];
  const positions = positionsAtEnd([], members.length);
  for (const [index, sectionId] of members.entries())
    await sections.placeSection(ctx.db, sectionId, { groupId: id, position: positions[index] ?? '' });
  return id;
}

export const MAX_GROUP_DEPTH = 8;

export const tooDeep = () =>
  badRequest(`Section groups can be nested at most ${MAX_GROUP_DEPTH} levels deep.`);
