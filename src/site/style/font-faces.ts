import { ASSET_PATH, type FontFace, type Typeface } from '../assets/catalog.ts';
import type { CustomFont } from '../customization.ts';

export interface FontRule {
  readonly css: string;
  /** The value of `font-family`. */
  readonly stack: string;
  /** Upright files of the scripts that the page needs. */
  readonly preloads?: readonly string[];
  readonly origins?: readonly string[];
}

const EMOJI = '"Apple Color Emoji","Segoe UI Emoji","Noto Color Emoji"';

const FALLBACKS: Readonly<Record<Typeface['generic'], string>> = {
  'sans-serif': `ui-sans-serif,system-ui,sans-serif,${EMOJI}`,
  serif: `ui-serif,Georgia,serif,${EMOJI}`,
  monospace: 'ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace',
};

/**
 * `font-display: optional` never moves text: a font that is not there when the page is painted is used from the next page
 * on. The letters of the page's language are preloaded, so that the first page has them on all but slow connections.
 */
export function facesOf(typeface: Typeface, basePath: string, languages: readonly string[]): FontRule {
  const subsets = subsetsOf(languages);
  const hrefOf = (file: string): string => basePath + ASSET_PATH + file;
  const family = cssString(typeface.family);
  const css = typeface.faces
    .map(
      (face) =>
        `@font-face{font-family:${family};font-weight:${face.weight};` +
        `${face.style === 'italic' ? 'font-style:italic;' : ''}font-display:optional;` +
        `src:url(${cssString(hrefOf(face.file))})format("woff2");unicode-range:${face.range}}`,
    )
    .join('');
  return {
    css,
    stack: `${family},${FALLBACKS[typeface.generic]}`,
    preloads: typeface.faces
      .filter((face) => subsets.has(face.subset) && face.style === 'normal')
      .map((face) => hrefOf(face.file)),
  };
}

/** Languages whose letters are in another file than the Latin ones. */
const SUBSETS: readonly (readonly [subset: FontFace['subset'], languages: RegExp])[] = [
  ['cyrillic', /^(ru|uk|be|bg|sr|mk|kk)\b/i],
  ['greek', /^el\b/i],
  ['latin-ext', /^(pl|cs|sk|hu|ro|tr|hr|lt|lv|sl)\b/i],
];

/** Code and names are in Latin letters in every language. */
const subsetsOf = (languages: readonly string[]): ReadonlySet<FontFace['subset']> =>
  new Set<FontFace['subset']>([
    'latin',
    ...SUBSETS.filter(([, pattern]) => languages.some((language) => pattern.test(language))).map(
      ([subset]) => subset,
    ),
  ]);

/** A font that the owner uploaded or links to. */
export function customFaces(font: CustomFont): FontRule | undefined {
  const origins = new Set<string>();
  let css = '';
  const family = cssString(font.fontFamily);
  for (const { weight, sources } of font.fontFaces) {
    const urls = sources.filter(({ url }) => /^(https?:\/\/|\/)/i.test(url));
    if (urls.length === 0 || !Number.isInteger(weight)) continue;
    for (const { url } of urls) if (URL.canParse(url)) origins.add(new URL(url).origin);
    const source = urls
      .map(({ url, format }) => `url(${cssString(url)})${format ? `format(${cssString(format)})` : ''}`)
      .join();
    css += `@font-face{font-family:${family};font-weight:${weight};font-display:optional;src:${source}}`;
  }
  return css === ''
    ? undefined
    : { css, stack: `${family},${FALLBACKS['sans-serif']}`, origins: [...origins] };
}

/** A string in a style sheet inside HTML: neither quotes nor `</style>` can end it. */
const cssString = (text: string): string =>
  `"${text.replaceAll(/[^\w ./:~?=&%,@+-]/g, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
