import type { Addresses } from '../../../platform/api/context.ts';
import { presentSpace, type OpenedSite, type SpaceRow } from '../../spaces/index.ts';
import type { SiteRow, SiteSectionGroupRow, SiteSectionRow, SiteSpaceRow } from '../policy.ts';
import { publishedUrl } from '../present.ts';

/** The data of an answer about the structure of a site. */
export interface SiteView {
  readonly site: SiteRow;
  readonly callerId: string;
  readonly addresses: Addresses;
  readonly opened: OpenedSite | undefined;
  /** The key, where it opens this site. */
  readonly keySegment: readonly string[];
  /** Sections in their order. */
  readonly sections: readonly SiteSectionRow[];
  readonly groups: readonly SiteSectionGroupRow[];
  readonly siteSpaces: readonly (SiteSpaceRow & { readonly space: SpaceRow })[];
}

export function presentSiteSpace(view: SiteView, row: SiteView['siteSpaces'][number]) {
  const { space } = row;
  return {
    object: 'site-space' as const,
    id: row.site_space_id,
    draft: false as const,
    path: row.path,
    section: row.section_id ?? undefined,
    space: presentSpace(space, view.callerId, view.addresses, view.opened),
    title: space.title,
    default: row.is_default,
    condition: row.condition ?? undefined,
    urls: { published: urlOf(view, row.segments) },
  };
}

export const presentSection = (view: SiteView, row: SiteSectionRow) => ({
  object: 'site-section' as const,
  id: row.site_section_id,
  draft: false as const,
  title: row.title,
  description: row.description ?? undefined,
  default: row.is_default,
  path: row.path,
  condition: row.condition ?? undefined,
  sectionGroup: row.site_section_group_id ?? undefined,
  siteSpaces: view.siteSpaces
    .filter((siteSpace) => siteSpace.section_id === row.site_section_id)
    .map((siteSpace) => presentSiteSpace(view, siteSpace)),
  urls: { published: urlOf(view, row.is_default ? [] : [row.path]) },
  icon: row.icon ?? undefined,
});

interface PresentedGroup {
  readonly object: 'site-section-group';
  readonly id: string;
  readonly draft: false;
  readonly title: string;
  readonly icon: string | undefined;
  readonly sectionGroup: string | undefined;
  readonly sections: ReturnType<typeof presentSection>[];
  readonly children: (ReturnType<typeof presentSection> | PresentedGroup)[];
}

export function presentGroup(view: SiteView, row: SiteSectionGroupRow): PresentedGroup {
  const children = presentLevel(view, row.site_section_group_id);
  return {
    object: 'site-section-group',
    id: row.site_section_group_id,
    draft: false,
    title: row.title,
    icon: row.icon ?? undefined,
    sectionGroup: row.parent_id ?? undefined,
    sections: children.filter((child) => child.object === 'site-section'),
    children,
  };
}

/** The sections and groups of a group, or of the root. */
function presentLevel(view: SiteView, groupId: string | null): PresentedGroup['children'] {
  const sections = view.sections
    .filter((section) => section.site_section_group_id === groupId)
    .map((section) => ({ position: section.position, item: () => presentSection(view, section) }));
  const groups = view.groups
    .filter((group) => group.parent_id === groupId)
    .map((group) => ({ position: group.position, item: () => presentGroup(view, group) }));
  return [...sections, ...groups]
    .toSorted((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ item }) => item());
}

/** Groups without any section leave the site spaces at the root. */
export const presentStructure = (view: SiteView) =>
  view.sections.length > 0 || (view.groups.length > 0 && view.site.site_spaces === 0)
    ? { type: 'sections' as const, structure: presentLevel(view, null) }
    : {
        type: 'siteSpaces' as const,
        structure: view.siteSpaces.map((siteSpace) => presentSiteSpace(view, siteSpace)),
      };

const urlOf = (view: SiteView, segments: readonly string[]) =>
  publishedUrl(view.addresses, view.site, [...view.keySegment, ...segments]);
