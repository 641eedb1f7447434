import type { SiteReader } from './site-reader.ts';
import type { SectionColumns, SiteSpaceColumns } from './store.ts';

/** A site space, and the part of the path that is below it. */
export interface Place {
  readonly siteSpace: SiteSpaceColumns;
  readonly rest: readonly string[];
}

/** The site spaces that a path may be in, the most specific first. */
export function placesOf(reader: SiteReader, segments: readonly string[]): Place[] {
  const [first, ...rest] = segments;
  const isAt = ({ path }: { readonly path: string }) => path.toLowerCase() === first?.toLowerCase();
  if (reader.site.sections.length === 0) return variantsOf(reader, undefined, segments);
  const named = reader.sections.find(isAt);
  const standard = reader.sections.find(({ isDefault }) => isDefault);
  return [
    ...(named ? variantsOf(reader, named, rest) : []),
    ...(standard ? variantsOf(reader, standard, segments) : []),
  ];
}

function variantsOf(
  reader: SiteReader,
  section: SectionColumns | undefined,
  segments: readonly string[],
): Place[] {
  const [first, ...rest] = segments;
  const spaces = reader.spacesOf(section);
  const named = spaces.find(({ path }) => path.toLowerCase() === first?.toLowerCase());
  const standard = spaces.find(({ isDefault }) => isDefault);
  return [
    ...(named ? [{ siteSpace: named, rest }] : []),
    ...(standard ? [{ siteSpace: standard, rest: segments }] : []),
  ];
}
