import { hash } from 'node:crypto';
import type { DocumentPage } from '../../../content-engine/tree/index.ts';
import type { Card } from '../../../platform/social-image/legible-parts.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import type { OpenSpace } from '../../read/pages/open-space.ts';
import type { PublishedSite, ReaderCustomization } from '../../read/published-site.ts';
import { hexColour } from '../../style/colour.ts';

/** Changes where the same card is drawn differently. */
const FORM = 1;

export function cardOf(
  site: PublishedSite,
  { styling, themes, title }: ReaderCustomization,
  page: DocumentPage,
): Card {
  const theme = themes.default === 'dark' ? 'dark' : 'light';
  return {
    title: page.title,
    description: page.description ?? '',
    siteTitle: title ?? site.title,
    colour: hexColour(styling.primaryColor[theme]) ?? '#346ddb',
    theme,
  };
}

export const versionOfCard = (card: Card): string =>
  hash('sha256', JSON.stringify([FORM, card]), 'base64url').slice(0, 12);

/** The picture of a page in its head. Programs that show links read pages as anyone may, and no others. */
export function socialImageOf(
  site: PublishedSite,
  addresses: SiteAddresses,
  card: Card,
  space: OpenSpace,
  page: DocumentPage,
): { readonly url: string; readonly width: number; readonly height: number } | undefined {
  if (site.visibility !== 'public' && site.visibility !== 'unlisted') return undefined;
  const version = versionOfCard(card);
  const href = addresses.own(`og/${space.siteSpace.id}/${page.id}.png?v=${version}`);
  return { url: addresses.absolute(href), width: 1200, height: 630 };
}
