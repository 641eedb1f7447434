import { createHash } from 'node:crypto';
import type { Customization, CustomFont, ThemedValue } from '../customization.ts';
import type { SiteView } from '../model.ts';
import { hexColour, readableOn } from './colour.ts';
import { customFaces, facesOf, type FontRule } from './font-faces.ts';

type StyledSite = Pick<SiteView, 'customization' | 'assets' | 'basePath' | 'language'>;

export interface PageStyle {
  /** The content of the only `<style>` of a page. */
  readonly text: string;
  /** The hash for `style-src` of the Content-Security-Policy. */
  readonly hash: string;
  /** Files to fetch before the style sheet asks for them: for all text, and for code. */
  readonly preloads: { readonly text: readonly string[]; readonly code: readonly string[] };
  /** Origins of the owner's own font files, for `font-src`. */
  readonly fontOrigins: readonly string[];
}

/**
 * The customization as inputs of the style sheet: colours and fonts. What is a word becomes an attribute of `<html>`, see
 * `rootAttributes`. No value of the owner is written as it is: colours are parsed, names of fonts are escaped.
 */
export function pageStyle(site: StyledSite): PageStyle {
  const { styling, header } = site.customization;
  const font = fontRule(site, styling.font);
  const mono = fontRule(site, styling.monospaceFont);
  const declarations = [
    ...toneInputs('primary', styling.primaryColor),
    ...toneInputs('info', styling.infoColor),
    ...toneInputs('success', styling.successColor),
    ...toneInputs('warning', styling.warningColor),
    ...toneInputs('danger', styling.dangerColor),
    ...tintInputs(styling.tint?.color),
    ...(header.preset === 'custom' ? headerInputs(header) : []),
    ...(font ? [`--font:${font.stack}`] : []),
    ...(mono ? [`--font-mono:${mono.stack}`] : []),
  ];
  const text = `${font?.css ?? ''}${mono?.css ?? ''}:root{${declarations.join(';')}}`;
  return {
    text,
    hash: cspHash(text),
    preloads: { text: font?.preloads ?? [], code: mono?.preloads?.slice(0, 1) ?? [] },
    fontOrigins: [...new Set([...(font?.origins ?? []), ...(mono?.origins ?? [])])],
  };
}

export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function fontRule(site: StyledSite, font: string | CustomFont): FontRule | undefined {
  if (typeof font !== 'string') return customFaces(font);
  const typeface = site.assets.typeface(font);
  const { locale } = site.customization.internationalization;
  return typeface && facesOf(typeface, site.basePath, [site.language, locale]);
}

function toneInputs(name: string, colour: ThemedValue | undefined): string[] {
  const light = hexColour(colour?.light);
  const dark = hexColour(colour?.dark);
  return [...(light ? [`--${name}:${light}`] : []), ...(dark ? [`--${name}-dark:${dark}`] : [])];
}

function tintInputs(colour: ThemedValue | undefined): string[] {
  const light = hexColour(colour?.light);
  const dark = hexColour(colour?.dark);
  return light && dark ? [`--tint:light-dark(${light},${dark})`, '--tint-amount:4%'] : [];
}

/** The links of a header in the owner's colours must be readable on it, whatever colours those are. */
function headerInputs({ backgroundColor, linkColor }: Customization['header']): string[] {
  const light = hexColour(backgroundColor?.light);
  const dark = hexColour(backgroundColor?.dark);
  if (!light || !dark) return [];
  const ink = [
    readableOn(light, hexColour(linkColor?.light)),
    readableOn(dark, hexColour(linkColor?.dark)),
  ] as const;
  return [`--solid-paper:light-dark(${light},${dark})`, `--solid-ink:light-dark(${ink.join()})`];
}
