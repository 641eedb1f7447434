import type { Answer } from './app.ts';

/** `status target <- sources` of an item of a list of links. */
export function describeLink({
  status,
  targetReference: target,
  locationReferences: locations,
  href,
}: Answer['body']): string {
  const sources = locations.map(nameOf).toSorted().join(' ');
  return `${status} ${target ? nameOf(target) : (href ?? '-')} <- ${sources}`;
}

/** The title, name or address of a location, with its anchor. */
export function nameOf(location: Answer['body']): string {
  const anchor = location.internalLocation ? `#${location.internalLocation.anchor}` : '';
  return (
    (location.page?.title ??
      location.file?.name ??
      location.reusableContent?.title ??
      location.space?.title ??
      location.user?.id ??
      location.url) + anchor
  );
}
