import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { spaces } from '../../spaces/index.ts';
import { sites, siteSections } from '../policy.ts';
import { getSite, lockSite, queueOfSite } from '../store.ts';
import { addSection } from './add.ts';
import { moveItem } from './move.ts';
import { presentSection } from './present.ts';
import { readSection, viewOf } from './read.ts';
import { SitePath } from '../schema.ts';
import * as schema from './schema.ts';
import { deleteSection } from './section-store.ts';
import * as store from './store.ts';
import { updateSection } from './update.ts';

const SectionPath = Type.Object({ ...SitePath.properties, siteSectionId: idOf(siteSections, 'view') });
const path = '/v1/orgs/{organizationId}/sites/{siteId}/sections';
const version = (row: { version: number }) => row.version;

export const listSiteSections = operation({
  method: 'GET',
  path,
  summary: 'List the sections of a site',
  description: 'In their order, including those in groups.',
  scope: 'site:read',
  params: SitePath,
  query: schema.SiteSectionsQuery,
  status: 200,
  response: listOf(schema.SiteSection),
  access: on(sites)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const { db, caller } = ctx;
    const found = await store.pageOfSections(db, caller.id, target.site_id, page);
    const ids = found.rows.map((row) => row.site_section_id);
    const siteSpaces = await store.listSiteSpaces(db, caller.id, target.site_id, ids);
    const view = await viewOf(ctx, target, { siteSpaces }, query.shareKey);
    return presentList(found, (row) => presentSection(view, row));
  },
});

export const addSectionToSite = operation({
  method: 'POST',
  path,
  summary: 'Add a section to a site',
  description:
    'Appends a section that shows a space, which requires admin on the space. The first section of a site takes over all ' +
    'site spaces.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewSiteSection,
  status: 201,
  response: schema.SiteSection,
  access: on(sites)('admin'),
  location: ({ id }, { params }) => `/v1/orgs/${params.organizationId}/sites/${params.siteId}/sections/${id}`,
  queue: queueOfSite,
  handle: async ({ ctx, target, body, refs }) => {
    const id = await addSection(ctx, target, body, refs.of(spaces, body.spaceId));
    return readSection(ctx, target, id);
  },
});

export const getSiteSectionById = operation({
  method: 'GET',
  path: `${path}/{siteSectionId}`,
  summary: 'Get a section of a site',
  scope: 'site:read',
  params: SectionPath,
  query: schema.ShareKeyQuery,
  status: 200,
  response: schema.SiteSection,
  access: on(siteSections)('view'),
  version,
  handle: async ({ ctx, target, query }) =>
    readSection(
      ctx,
      await getSite(ctx.db, ctx.caller.id, target.site_id),
      target.site_section_id,
      query.shareKey,
    ),
});

export const updateSiteSectionById = operation({
  method: 'PATCH',
  path: `${path}/{siteSectionId}`,
  summary: 'Update a section of a site',
  description:
    '`condition`: omitted leaves it unchanged, `null` removes it. A path that is taken returns 409.',
  scope: 'site:write',
  params: SectionPath,
  body: schema.SiteSectionPatch,
  status: 200,
  response: schema.SiteSection,
  access: on(siteSections)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    await updateSection(ctx, site, target.site_section_id, body);
    return readSection(ctx, site, target.site_section_id);
  },
});

export const deleteSiteSectionById = operation({
  method: 'DELETE',
  path: `${path}/{siteSectionId}`,
  summary: 'Delete a section of a site',
  description:
    'Removes its site spaces from the site; their spaces remain. If it was the default, the next section becomes it.',
  scope: 'site:write',
  params: SectionPath,
  status: 205,
  access: on(siteSections)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target }) => {
    await lockSite(ctx.db, target.site_id);
    await deleteSection(ctx.db, target.site_section_id);
  },
});

export const moveSiteSection = operation({
  method: 'POST',
  path: `${path}/{siteSectionId}/move`,
  summary: 'Move a section of a site',
  description:
    'Deprecated: use `PATCH …/structure/sort`. Moves it into the group of the other section. Without a position, it ' +
    'becomes the last item of the site.',
  scope: 'site:write',
  params: SectionPath,
  body: schema.SectionMove,
  bodyOptional: true,
  status: 200,
  response: schema.SiteSection,
  access: on(siteSections)('admin'),
  version,
  queue: queueOfSite,
  handle: async ({ ctx, target, body }) => {
    const site = await getSite(ctx.db, ctx.caller.id, target.site_id);
    const itemOf = (pointer: { siteSection: string } | undefined) =>
      pointer && { kind: 'section' as const, id: pointer.siteSection };
    const { before, after } = body.position ?? {};
    const moved = { kind: 'section' as const, id: target.site_section_id };
    await moveItem(ctx, site, moved, { before: itemOf(before), after: itemOf(after) });
    return readSection(ctx, site, target.site_section_id);
  },
});
