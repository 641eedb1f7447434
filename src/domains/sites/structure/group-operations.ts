import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf, ListQuery } from '../../../platform/api/schema.ts';
import { sites, siteSectionGroups, siteSections } from '../policy.ts';
import { getSite, queueOfSite } from '../store.ts';
import { addGroup } from './add.ts';
import { dissolveGroup, moveItem, moveToGroup, removeFromGroup } from './move.ts';
import { presentGroup } from './present.ts';
import { itemOf } from './pointers.ts';
import { readGroup, readStructure } from './read.ts';
import { SitePath } from '../schema.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { updateGroup } from './update.ts';

const GroupPath = Type.Object({
  ...SitePath.properties,
  siteSectionGroupId: idOf(siteSectionGroups, 'view'),
});
const path = '/v1/orgs/{organizationId}/sites/{siteId}/section-groups';
const version = (row: { version: number }) => row.version;

export const listSiteSectionGroups = operation({
  method: 'GET',
  path,
  summary: 'List the section groups of a site',
  description: 'In their order, including nested groups.',
  scope: 'site:read',
  params: SitePath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.SiteSectionGroup),
  access: on(sites)('view'),
  handle: async ({ ctx, target, page }) => {
    const found = await store.pageOfGroups(ctx.db, ctx.caller.id, target.site_id, page);
    const view = await readStructure(ctx, target);
    return presentList(found, (row) => presentGroup(view, row));
  },
});

export const addSectionGroupToSite = operation({
  method: 'POST',
  path,
  summary: 'Add a section group to a site',
  description: 'Appends it to the group `parent`, or to the site, and moves `sections` into it.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewSiteSectionGroup,
  status: 201,
  response: schema.SiteSectionGroup,
  access: on(sites)('admin'),
  location: ({ id }, { params }) =>
    `/v1/orgs/${params.organizationId}/sites/${params.siteId}/section-groups/${id}`,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => readGroup(ctx, target, await addGroup(ctx, target, body)),
});

export const getSiteSectionGroupById = operation({
  method: 'GET',
  path: `${path}/{siteSectionGroupId}`,
  summary: 'Get a section group of a site',
  scope: 'site:read',
  params: GroupPath,
  status: 200,
  response: schema.SiteSectionGroup,
  access: on(siteSectionGroups)('view'),
  version,
  handle: async ({ ctx, target }) =>
    readGroup(ctx, await getSite(ctx.db, ctx.caller.id, target.site_id), target.site_section_group_id),
});

export const updateSiteSectionGroupById = operation({
  method: 'PATCH',
  path: `${path}/{siteSectionGroupId}`,
  summary: 'Update a section group of a site',
  scope: 'site:write',
  params: GroupPath,
  body: schema.SiteSectionGroupPatch,
  status: 200,
  response: schema.SiteSectionGroup,
  access: on(siteSectionGroups)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    await updateGroup(ctx, site, target.site_section_group_id, body);
    return readGroup(ctx, site, target.site_section_group_id);
  },
});

export const deleteSiteSectionGroupById = operation({
  method: 'DELETE',
  path: `${path}/{siteSectionGroupId}`,
  summary: 'Delete a section group of a site',
  description: 'Its sections and groups take its place.',
  scope: 'site:write',
  params: GroupPath,
  status: 205,
  access: on(siteSectionGroups)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    await dissolveGroup(ctx, site, target.site_section_group_id);
  },
});

export const addSectionToGroup = operation({
  method: 'POST',
  path: `${path}/{siteSectionGroupId}/sections`,
  summary: 'Add a section to a section group',
  description: 'Appends it. A section that the group contains stays where it is.',
  scope: 'site:write',
  params: GroupPath,
  body: schema.GroupMember,
  status: 201,
  response: schema.SiteSectionGroup,
  access: on(siteSectionGroups)('admin'),
  version,
  location: ({ id }, { params }) =>
    `/v1/orgs/${params.organizationId}/sites/${params.siteId}/section-groups/${id}`,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    const section = { kind: 'section' as const, id: body.sectionId };
    await moveToGroup(ctx, site, section, target.site_section_group_id);
    return readGroup(ctx, site, target.site_section_group_id);
  },
});

export const removeSectionFromGroup = operation({
  method: 'DELETE',
  path: `${path}/{siteSectionGroupId}/sections/{siteSectionId}`,
  summary: 'Remove a section from a section group',
  description: 'The section remains on the site, after the group.',
  scope: 'site:write',
  params: Type.Object({ ...GroupPath.properties, siteSectionId: idOf(siteSections, 'view') }),
  status: 205,
  access: on(siteSections)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, params }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    await removeFromGroup(ctx, site, target.site_section_id, params.siteSectionGroupId);
  },
});

export const moveSiteSectionGroup = operation({
  method: 'POST',
  path: `${path}/{siteSectionGroupId}/move`,
  summary: 'Move a section group of a site',
  description:
    'Deprecated: use `PATCH …/structure/sort`. Moves it into the group of the other item. Without a position, it becomes ' +
    'the last item of the site.',
  scope: 'site:write',
  params: GroupPath,
  body: schema.SectionGroupMove,
  bodyOptional: true,
  status: 200,
  response: schema.SiteSectionGroup,
  access: on(siteSectionGroups)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    const { before, after } = body.position ?? {};
    const moved = { kind: 'group' as const, id: target.site_section_group_id };
    await moveItem(ctx, site, moved, { before: before && itemOf(before), after: after && itemOf(after) });
    return readGroup(ctx, site, target.site_section_group_id);
  },
});
