import { emojiText } from '../../../content-engine/document/index.ts';
import type { LinkTarget } from '../../../domains/customization/index.ts';
import { mayRead } from '../../../domains/visitors/index.ts';
import type { Favicon } from '../../customization.ts';
import type { HeaderLink, Icon, Link, Section, SectionGroup, SiteView, Variant } from '../../model.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import type { ReaderCustomization } from '../../read/published-site.ts';
import type { Refs } from '../../read/pages/resolve-refs.ts';
import type { SiteReader } from '../../read/site-reader.ts';
import type { AssetCatalog } from '../../assets/catalog.ts';
import type { SiteSpaceColumns } from '../../read/store.ts';
import { announcementParts } from './announcement-parts.ts';

export interface SiteViewInput {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  readonly assets: AssetCatalog;
  readonly customization: ReaderCustomization;
  /** The space that the page is in. */
  readonly siteSpace: SiteSpaceColumns | undefined;
  /** Resolves the links of the customization. */
  readonly refs: Pick<Refs, 'targetOf'> | undefined;
}

/** The content around every page of a site, for one visitor. */
export function siteView(input: SiteViewInput): SiteView {
  const { reader, addresses, assets, customization, siteSpace, refs } = input;
  const { site, visitor } = reader;
  const linkOf = (title: string, to: LinkTarget): Link[] => {
    const href = refs?.targetOf(to)?.href;
    return href === undefined ? [] : [{ title, href }];
  };
  const headerLinks = customization.header.links.flatMap((item): HeaderLink[] => {
    if (!mayRead(item.condition, visitor.claims)) return [];
    const href = item.to ? linkOf(item.title, item.to)[0]?.href : undefined;
    const links = item.links.flatMap(({ title, to }) => linkOf(title, to));
    return href === undefined && links.length === 0
      ? []
      : [{ title: item.title, style: item.style, href, links }];
  });
  const { announcement } = customization;
  return {
    title: customization.title ?? site.title,
    basePath: addresses.basePath,
    language: siteSpace?.language ?? customization.internationalization.locale,
    customization: { ...customization, favicon: customization.favicon as Favicon },
    assets,
    headerLinks,
    footerGroups: customization.footer.groups.map(({ title, links }) => ({
      title,
      links: links.flatMap((link) => linkOf(link.title, link.to)),
    })),
    announcement: announcement?.enabled
      ? {
          message: announcementParts(announcement.message, refs),
          style: announcement.style,
          link: announcement.link && linkOf(announcement.link.title, announcement.link.to)[0],
        }
      : undefined,
    sections: sectionsBelow(reader, addresses, null, siteSpace),
    variants: variantsOf(reader, addresses, siteSpace),
    preview: addresses.preview && {
      title: addresses.preview.title,
      leaveHref: addresses.own('leave-preview'),
    },
  };
}

export const iconOf = (name: string | null | undefined, emoji?: string | null): Icon | undefined => {
  if (name) return { name };
  return emoji ? { emoji: emojiText(emoji) } : undefined;
};

/** Sections and groups of a group, in their order. Groups without a readable section are absent. */
function sectionsBelow(
  reader: SiteReader,
  addresses: SiteAddresses,
  groupId: string | null,
  current: SiteSpaceColumns | undefined,
): (Section | SectionGroup)[] {
  const sections = reader.sections
    .filter((section) => section.groupId === groupId)
    .map((section) => ({ place: section.place, entry: sectionOf(section) }));
  const groups = reader.site.groups
    .filter(({ parentId }) => parentId === groupId)
    .map(({ id, title, icon, place }) => {
      const children = sectionsBelow(reader, addresses, id, current);
      return { place, entry: { kind: 'group' as const, title, icon: iconOf(icon), children } };
    })
    .filter(({ entry }) => entry.children.length > 0);
  return [...sections, ...groups].toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ entry }) => entry);

  function sectionOf(section: SiteReader['sections'][number]): Section {
    return {
      kind: 'section',
      title: section.title,
      description: section.description ?? undefined,
      icon: iconOf(section.icon),
      href: addresses.section(section),
      isCurrent: section.id === current?.sectionId,
    };
  }
}

function variantsOf(
  reader: SiteReader,
  addresses: SiteAddresses,
  current: SiteSpaceColumns | undefined,
): Variant[] {
  if (!current) return [];
  return reader.spacesOf(reader.site.sectionOf(current)).map((siteSpace) => ({
    title: siteSpace.title,
    href: addresses.space(siteSpace),
    icon: iconOf(undefined, siteSpace.emoji),
    language: siteSpace.language ?? undefined,
    isCurrent: siteSpace.id === current.id,
  }));
}
