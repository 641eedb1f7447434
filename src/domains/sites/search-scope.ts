import type { SiteSearch } from './search-schema.ts';
import type { SearchableSpace } from './search-store.ts';

/** The site spaces to search, among those that the caller may view. A space that is shown twice is searched once. */
export function scopeIn(viewable: readonly SearchableSpace[], request: SiteSearch): SearchableSpace[] {
  const isSearched = chosenBy(viewable, request);
  const spaces = viewable.filter(isSearched).map((each) => [each.space_id, each] as const);
  return [...new Map(spaces).values()];
}

function chosenBy(
  viewable: readonly SearchableSpace[],
  request: SiteSearch,
): (siteSpace: SearchableSpace) => boolean {
  const among = (ids: readonly string[]) => (siteSpace: SearchableSpace) =>
    ids.includes(siteSpace.site_space_id);
  if (!('scope' in request)) {
    if ('siteSpaceIds' in request) return among(request.siteSpaceIds);
    return 'siteSpaceId' in request ? among(defaults(viewable, request.siteSpaceId)) : () => true;
  }
  const { scope } = request;
  if (scope.mode === 'all') return () => true;
  if (scope.mode === 'specific') return among(scope.siteSpaceIds);
  const { currentSiteSpace: current, restrictTo, includedSiteSpaces: included = [] } = scope;
  if (restrictTo === 'currentSiteSpace') return among(current === undefined ? [] : [current]);
  const searched = [...defaults(viewable, current), ...included];
  return among(restrictTo === undefined ? searched : searched.filter((id) => id !== current));
}

/** The current site space, and of each other section the one in its language, or else the default. */
function defaults(viewable: readonly SearchableSpace[], currentId: string | undefined): string[] {
  const current = viewable.find(({ site_space_id: id }) => id === currentId);
  const sections = new Set(viewable.map(({ section_id: id }) => id));
  return [...sections].flatMap((sectionId) => {
    if (current && sectionId === current.section_id) return [current.site_space_id];
    const spaces = viewable.filter((each) => each.section_id === sectionId);
    const standard = spaces.find((each) => each.is_default);
    const sameLanguage =
      current?.language && standard?.language !== current.language
        ? spaces.find(({ language }) => language === current.language)
        : undefined;
    return (sameLanguage ?? standard)?.site_space_id ?? [];
  });
}
