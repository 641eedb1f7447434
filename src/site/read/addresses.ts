import { findPage, pathOf, type Tree } from '../../content-engine/tree/index.ts';
import { siteUrl } from '../../domains/spaces/index.ts';
import type { Addresses } from '../../platform/api/context.ts';
import type { OpenSpace } from './pages/open-space.ts';
import { placesOf } from './places.ts';
import type { SiteReader } from './site-reader.ts';
import type { SectionColumns, SiteSpaceColumns } from './store.ts';

/** The preview that is shown instead of the published content of a space. */
export interface Preview {
  readonly title: string;
  readonly siteSpaceId: string | undefined;
  /** The segments of addresses below the space: `~/changes/3`. */
  readonly segments: readonly string[];
}

/**
 * Addresses on a site: hrefs are paths with the base path of the site. The address of a space ends with a slash, that of a
 * page does not; the first page of a space has the address of the space. `placesOf` reads them back.
 */
export interface SiteAddresses {
  readonly basePath: string;
  readonly root: string;
  readonly preview: Preview | undefined;
  /** The address of a page that every site has, such as `search`. */
  own(path: string): string;
  section(section: SectionColumns): string;
  space(siteSpace: SiteSpaceColumns): string;
  page(space: OpenSpace, id: string): string;
  markdown(space: OpenSpace, id: string): string;
  file(
    space: OpenSpace,
    pageId: string,
    file: { id: string; name: string; hash: string },
    of: string,
  ): string;
  /** The absolute URL, at the address that search engines should know. */
  absolute(href: string): string;
}

export function siteAddresses(
  addresses: Addresses,
  reader: SiteReader,
  basePath: string,
  preview?: Preview,
): SiteAddresses {
  const { site } = reader;
  const published = siteUrl(addresses, site, []).replace(/\/$/, '');
  const at = (segments: readonly string[]) => `${basePath}/${segments.map(encodeURIComponent).join('/')}`;
  const previewed = ({ id }: SiteSpaceColumns) => (preview?.siteSpaceId === id ? preview.segments : []);
  const space = (siteSpace: SiteSpaceColumns) => {
    const segments = [...siteSpace.segments, ...previewed(siteSpace)];
    return segments.length === 0 ? `${basePath}/` : `${at(segments)}/`;
  };
  const ownPath = ({ siteSpace, tree }: OpenSpace, id: string) => {
    const slugs = slugsOf(tree, id);
    return at([...segmentsBefore(reader, siteSpace, slugs), ...previewed(siteSpace), ...slugs]);
  };
  return {
    basePath,
    root: `${basePath}/`,
    preview,
    own: (path) => `${basePath}/~octavo/${path}`,
    space,
    section: (section) => {
      const first =
        reader.spacesOf(section).find(({ isDefault }) => isDefault) ?? reader.spacesOf(section)[0];
      return first ? space(first) : `${basePath}/`;
    },
    page: (open, id) => (open.pages.documents[0]?.id === id ? space(open.siteSpace) : ownPath(open, id)),
    markdown: (open, id) => `${ownPath(open, id)}.md`,
    file: ({ siteSpace }, pageId, { id, name, hash }, of) =>
      `${basePath}/~octavo/file/${siteSpace.id}/${pageId}/${of}/${id}/${encodeURIComponent(name)}?v=${hash.slice(0, 8)}`,
    absolute: (href) => published + href.slice(basePath.length),
  };
}

/** Those of the space; all of them where the slug would be read as the path of a section or of a variant. */
function segmentsBefore(
  reader: SiteReader,
  siteSpace: SiteSpaceColumns,
  [slug = '']: readonly string[],
): readonly string[] {
  const [place] = placesOf(reader, [...siteSpace.segments, slug]);
  if (place?.siteSpace.id === siteSpace.id && place.rest.length === 1) return siteSpace.segments;
  const section = reader.site.sectionOf(siteSpace);
  return [...(section ? [section.path] : []), siteSpace.path];
}

const slugsOf = (tree: Tree, id: string): string[] => {
  const page = findPage(tree, id);
  return (page && pathOf(tree, page.id)?.split('/')) ?? [];
};
