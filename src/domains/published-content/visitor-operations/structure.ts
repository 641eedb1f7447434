import type { Context } from '../../../platform/api/context.ts';
import { hasKey } from '../../../site/read/visitor.ts';
import type { SiteSpaceColumns } from '../../../site/read/store.ts';
import {
  presentSite,
  presentStructure,
  type SiteRow,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteView,
} from '../../sites/index.ts';
import { presentSpace, type SpaceRow } from '../../spaces/index.ts';
import type { SiteVisit } from '../visit.ts';

/** Rows as a user would see who has no role: what a visitor sees of a site is presented by the same functions. */

const NO_USER = '';

const siteRow = ({ reader: { site, siteSpaces } }: SiteVisit): SiteRow => ({
  ...site,
  role: null,
  site_id: site.id,
  icon: (site.ownSettings.favicon ?? null) as SiteRow['icon'],
  version: site.config_version,
  site_spaces: siteSpaces.length,
});

const segmentsOf = ({ reader: { site } }: SiteVisit, siteSpace: SiteSpaceColumns): string[] => {
  const section = site.sectionOf(siteSpace);
  return [
    ...(section && !section.isDefault ? [section.path] : []),
    ...(siteSpace.isDefault ? [] : [siteSpace.path]),
  ];
};

/** Counts, rules and people of the space are not published. */
function spaceRow(visit: SiteVisit, siteSpace: SiteSpaceColumns): SpaceRow {
  const { site } = visit.reader;
  const { id, basename, hostname, proxy_origin } = site;
  const publication = {
    site_id: id,
    basename,
    hostname,
    proxy_origin,
    segments: segmentsOf(visit, siteSpace),
  };
  return {
    role: null,
    organization_id: site.organization_id,
    space_id: siteSpace.spaceId,
    parent_id: null,
    title: siteSpace.title,
    emoji: siteSpace.emoji,
    icon: siteSpace.icon,
    language: siteSpace.language,
    visibility: site.visibility,
    publication,
    edit_mode: 'locked',
    merge_rules: { type: 'inherit' },
    default_level: null,
    position: '',
    place: '',
    revision_id: siteSpace.revisionId,
    git_sync: null,
    version: 0,
    created_at: new Date(siteSpace.createdAt),
    updated_at: new Date(siteSpace.revisedAt),
    deleted_at: null,
    comments: 0,
    change_requests: 0,
    change_requests_open: 0,
    change_requests_draft: 0,
  };
}

/** The key of the share link, if it opens the site: URLs begin with it. */
function openedBy(ctx: Context, { reader: { site } }: SiteVisit, key: string | undefined) {
  return key !== undefined && hasKey(ctx, site, key) ? { siteId: site.id, key } : undefined;
}

export const spaceFor = (ctx: Context, visit: SiteVisit, siteSpace: SiteSpaceColumns, key?: string) =>
  presentSpace(spaceRow(visit, siteSpace), NO_USER, ctx.addresses, openedBy(ctx, visit, key));

/** Omits the address that a proxy asks. */
export const siteFor = ({ addresses }: Context, visit: SiteVisit) => ({
  ...presentSite(siteRow(visit), { caller: { id: NO_USER }, addresses }),
  proxy: undefined,
});

/** Sections, groups and site spaces that the visitor may read, without their conditions. */
export function structureFor(ctx: Context, visit: SiteVisit, key?: string) {
  const { site, sections, siteSpaces } = visit.reader;
  const inSite = { role: null, organization_id: site.organization_id, site_id: site.id, version: 0 };
  const opened = openedBy(ctx, visit, key);
  const view: SiteView = {
    site: siteRow(visit),
    callerId: NO_USER,
    addresses: ctx.addresses,
    opened,
    keySegment: opened ? [opened.key] : [],
    groups: groupsWith(visit).map(({ id, parentId, title, icon, place }): SiteSectionGroupRow => ({
      ...inSite,
      site_section_group_id: id,
      parent_id: parentId,
      path: [],
      title,
      icon,
      position: place,
      place,
    })),
    sections: sections.map((section): SiteSectionRow => ({
      ...inSite,
      ...section,
      site_section_id: section.id,
      site_section_group_id: section.groupId,
      condition: null,
      is_default: section.isDefault,
      position: section.place,
    })),
    siteSpaces: siteSpaces.map((siteSpace) => ({
      ...inSite,
      site_space_id: siteSpace.id,
      section_id: siteSpace.sectionId,
      space_id: siteSpace.spaceId,
      path: siteSpace.path,
      condition: null,
      is_default: siteSpace.isDefault,
      position: '',
      section_place: '',
      segments: segmentsOf(visit, siteSpace),
      space: spaceRow(visit, siteSpace),
    })),
  };
  return presentStructure(view);
}

/** Groups that hold, at any depth, a section that the visitor may read. */
function groupsWith({ reader: { site, sections } }: SiteVisit) {
  const byId = new Map(site.groups.map((group) => [group.id, group]));
  const shown = new Set<string>();
  for (const { groupId } of sections)
    for (let id = groupId; id !== null && !shown.has(id); id = byId.get(id)?.parentId ?? null) shown.add(id);
  return site.groups.filter(({ id }) => shown.has(id));
}
