import { readParts, type FileOf, type ReadPart, type WantedPart } from '../../domains/openapi-specs/index.ts';
import { openSpace, type OpenSpace } from './pages/open-space.ts';
import { readCustomization } from './customizations.ts';
import type { PublishedSite, ReadContext, ReaderCustomization } from './published-site.ts';
import { readableSpaces } from './pages/readable-spaces.ts';
import type { SectionColumns, SiteSpaceColumns } from './store.ts';
import type { Visitor } from './visitor.ts';

/**
 * The access of a visitor to a site: the one place that decides it. Pages, Markdown, files, search, feeds and MCP read a site
 * through it.
 */
export interface SiteReader {
  readonly site: PublishedSite;
  readonly visitor: Visitor;
  /** Sections that show a space, in the order of the site. */
  readonly sections: readonly SectionColumns[];
  readonly siteSpaces: readonly SiteSpaceColumns[];
  /** The spaces of a section, or of a site without sections. */
  spacesOf(section: SectionColumns | undefined): readonly SiteSpaceColumns[];
  /** Where the site shows a space: near another site space if possible, that is in the same section. */
  placeOf(spaceId: string, near?: SiteSpaceColumns): SiteSpaceColumns | undefined;
  open(siteSpace: SiteSpaceColumns): Promise<OpenSpace>;
  /** Parts of specifications of the organization. Readers of a page that shows them may read them. */
  readParts(wanted: readonly WantedPart[], fileOf: FileOf): Promise<readonly (ReadPart | undefined)[]>;
  /** The settings of pages of a site space, or of pages that are in none. */
  customizationOf(siteSpace: SiteSpaceColumns | undefined): Promise<ReaderCustomization>;
}

/** A visitor who is not admitted reads nothing. */
export async function siteReader(
  ctx: ReadContext,
  site: PublishedSite,
  visitor: Visitor,
): Promise<SiteReader> {
  const siteSpaces = visitor.refusal === undefined ? await readableSpaces(ctx, site, visitor) : [];
  const shown = new Set(siteSpaces.map(({ sectionId }) => sectionId));
  return {
    site,
    visitor,
    siteSpaces,
    sections: site.sections.filter(({ id }) => shown.has(id)),
    spacesOf: (section) => siteSpaces.filter(({ sectionId }) => sectionId === (section?.id ?? null)),
    placeOf(spaceId, near) {
      const places = siteSpaces.filter((siteSpace) => siteSpace.spaceId === spaceId);
      return (
        places.find(({ id }) => id === near?.id) ??
        places.find(({ sectionId }) => sectionId === near?.sectionId) ??
        places[0]
      );
    },
    readParts: (wanted, fileOf) => readParts(ctx, site.organization_id, wanted, fileOf),
    open: (siteSpace) => openSpace(ctx, siteSpace, visitor),
    customizationOf: (siteSpace) => readCustomization(ctx, site, siteSpace?.id),
  };
}
