import type { Customization } from '../customization.ts';

/** Settings that are words, as attributes of `<html>`. Defaults have none. */
export function rootAttributes({
  styling,
  themes,
  header,
}: Customization): Readonly<Record<string, string | boolean | undefined>> {
  const unless = (value: string, byDefault: string): string | undefined =>
    value === byDefault ? undefined : value;
  return {
    'data-theme': unless(themes.default, 'system'),
    'data-theme-fixed': !themes.toggeable,
    'data-header': header.preset === 'none' ? 'none' : undefined,
    'data-corners': unless(styling.corners, 'rounded'),
    'data-depth': unless(styling.depth, 'subtle'),
    'data-links': unless(styling.links, 'default'),
    'data-icons': unless(styling.icons, 'regular'),
    'data-background': unless(styling.background, 'plain'),
    'data-list': unless(styling.sidebar.list, 'default'),
    'data-sidebar': unless(styling.sidebar.background, 'default'),
    'data-search': unless(styling.search, 'prominent'),
    'data-style': unless(styling.theme, 'clean'),
  };
}

/** The surface of the header and the section tabs. The theme `bold` is the solid header without a preset. */
export function surfaceOf({ styling, header }: Customization): 'solid' | 'contrast' | undefined {
  if (header.preset === 'bold' || header.preset === 'custom') return 'solid';
  if (header.preset === 'contrast') return 'contrast';
  return styling.theme === 'bold' ? 'solid' : undefined;
}
