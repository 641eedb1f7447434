import type { Features } from '../../../content-engine/render/html/index.ts';
import type { PageStyle } from '../../style/inputs.ts';
import { hexColour } from '../../style/colour.ts';
import { surfaceOf } from '../../style/root-attributes.ts';
import { ASSET_PATH, type AssetName } from '../../assets/catalog.ts';
import type { HeadView, SiteView } from '../../model.ts';
import { faviconLinks } from '../brand.ts';
import { attributes, markup, rendered, SCRIPT_END, type Html, type Part } from '../markup.ts';
import { safeHref, type View } from '../view.ts';

export interface DocumentParts {
  /** The title of the browser tab and of search results. */
  readonly title: string;
  readonly description?: string | undefined;
  readonly head: HeadView;
  /** More elements of `<head>`. */
  readonly extraHead?: Part;
  readonly content: Html;
  /** Words for `data-width` of `<html>`. */
  readonly width?: 'wide' | undefined;
  /** Visitors who may not read the site get its design, but neither navigation nor search. */
  readonly isClosed?: boolean;
}

export const assetHref = ({ assets, basePath }: SiteView, name: AssetName): string =>
  basePath + ASSET_PATH + assets.nameOf(name);

/** The style sheet comes before what does not block painting; the inline style after it, because it overrides it. */
export function headElements(
  view: View,
  parts: DocumentParts,
  style: PageStyle,
  { hasCode, hasApi, mathCharacters }: Features,
): Html {
  const { site } = view;
  const title = parts.title === site.title ? site.title : `${parts.title} · ${site.title}`;
  const preloads = [...style.preloads.text, ...(hasCode ? style.preloads.code : [])];
  return markup`
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${assetHref(site, 'reader.css')}">
    ${preloads.map((href) => fontPreload(href, 'font/woff2'))}
    ${hasApi && markup`<link rel="stylesheet" href="${assetHref(site, 'api.css')}">`}
    ${mathCharacters !== undefined && mathStyle(site, mathCharacters)}
    ${meta('description', parts.description)}
    ${!parts.head.isIndexed && meta('robots', 'noindex')}
    ${addresses(parts.head)}
    ${openGraph(view, title, parts)}
    ${themeColours(site)}
    ${faviconLinks(view)}
    ${parts.extraHead}
    <style>${rendered(style.text)}</style>
    <script>${rendered(site.assets.earlyScript)}${SCRIPT_END}
    <script src="${assetHref(site, 'reader.js')}" defer>${SCRIPT_END}`;
}

const fontPreload = (href: string, type: string): Html =>
  markup`<link rel="preload" href="${href}" as="font" type="${type}" crossorigin>`;

/** Pages with formulas load the rules and the font for them: the files whose characters they show. */
function mathStyle(site: SiteView, shown: string): Html {
  const faces = site.assets.mathFaces.filter(({ characters }, n) => n === 0 || characters.test(shown));
  return markup`
    <link rel="stylesheet" href="${assetHref(site, 'math.css')}">
    ${faces.map(({ file }) => fontPreload(site.basePath + ASSET_PATH + file, 'font/ttf'))}`;
}

const meta = (name: string, content: string | undefined): Html | undefined =>
  content === undefined || content === '' ? undefined : markup`<meta name="${name}" content="${content}">`;

function addresses({ canonical, alternates = [], feedHref }: HeadView): Html[] {
  const link = (rel: string, href: string, others: Record<string, string> = {}): Html =>
    markup`<link${attributes({ rel, ...others, href: safeHref(href) })}>`;
  return [
    ...(canonical ? [link('canonical', canonical)] : []),
    ...alternates.map(({ language, href }) => link('alternate', href, { hreflang: language })),
    ...(feedHref ? [link('alternate', feedHref, { type: 'application/rss+xml' })] : []),
  ];
}

function openGraph(
  { site }: View,
  title: string,
  { title: ownTitle, description, head }: DocumentParts,
): Html {
  const preview = site.customization.socialPreview.url;
  const image = preview ? { url: preview } : head.image;
  const values: Record<string, string | number | undefined> = {
    'og:type': 'article',
    'og:site_name': site.title,
    'og:title': ownTitle || title,
    'og:description': description,
    'og:url': head.canonical,
    'og:image': image && safeHref(image.url),
    'og:image:width': image && 'width' in image ? image.width : undefined,
    'og:image:height': image && 'height' in image ? image.height : undefined,
  };
  const properties = Object.entries(values).map(
    ([property, content]) =>
      content !== undefined && content !== '' && markup`<meta${attributes({ property, content })}>`,
  );
  return markup`${properties}${image && meta('twitter:card', 'summary_large_image')}`;
}

/** The colour of the browser around the page: that of the header. */
function themeColours({ customization }: SiteView): Html {
  const surface = surfaceOf(customization);
  const { header, styling, themes } = customization;
  const solid =
    header.preset === 'custom' ? (header.backgroundColor ?? styling.primaryColor) : styling.primaryColor;
  const dark = (surface === 'solid' && hexColour(solid.dark)) || '#111419';
  let light = (surface === 'solid' && hexColour(solid.light)) || '#fefdfc';
  if (surface === 'contrast') light = dark;
  if (!themes.toggeable && themes.default !== 'system')
    return markup`${meta('theme-color', themes.default === 'dark' ? dark : light)}`;
  return markup`
    <meta name="theme-color" content="${light}" media="(prefers-color-scheme:light)">
    <meta name="theme-color" content="${dark}" media="(prefers-color-scheme:dark)">`;
}
