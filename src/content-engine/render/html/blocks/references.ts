import {
  captionOf,
  type ContentRef,
  type ContentRefBlock,
  type FileBlock,
  type IntegrationBlock,
} from '../../../document/index.ts';
import { shorten } from '../../../shorten.ts';
import { hostOf } from './embeds.ts';
import type { Context, Renderer } from '../context.ts';
import { icon, signOf } from '../inlines/icons.ts';
import { compact } from '../inlines/inlines.ts';
import { hrefAttributes, iconOf, targetOf, titleOf } from '../inlines/links.ts';
import { element, type HtmlNode } from '../node.ts';
import type { Target } from '../options.ts';
import { fileOf } from '../inlines/picture.ts';

/** Blocks that show something else as one row: a sign, words, and what happens. */

const words = (title: string, note: string | undefined): HtmlNode =>
  element('span', {}, element('b', {}, title), note ? element('small', {}, note) : undefined);

export const file: Renderer<FileBlock> = (context, block) => {
  const { ref } = block.data;
  const found = fileOf(context, ref);
  const caption = captionOf(block);
  const row = found
    ? element(
        'a',
        { class: 'row', href: found.src, download: true },
        icon(context, 'file'),
        words(found.name ?? found.src, describeFile(found.name ?? '', found.size, context.locale)),
        icon(context, 'download'),
      )
    : missing(context, context.words.missingFile);
  if (caption.length === 0) return row;
  return element('figure', { class: 'file' }, row, element('figcaption', {}, compact(context, caption)));
};

const missing = (context: Context, text: string): HtmlNode =>
  element('div', { class: 'row broken' }, icon(context, 'file'), words(text, undefined));

/** `PDF, 1.8 MB` */
function describeFile(name: string, size: number | undefined, locale: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase();
  return [extension, size === undefined ? undefined : sizeOf(size, locale)].filter(Boolean).join(', ');
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function sizeOf(bytes: number, locale: string): string {
  const step = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3;
  const value = bytes / 1000 ** step;
  const format = {
    style: 'unit',
    unit: UNITS[step],
    // The short form of bytes has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const;
  return value.toLocaleString(locale, format);
}

/** Characters of a description: a row has few lines. */
const MAX_NOTE = 500;

export const contentRef: Renderer<ContentRefBlock> = (context, { data: { ref } }) => {
  const target = targetOf(context, ref);
  const attributes = hrefAttributes(context, target?.href);
  if (!target || !attributes) return missing(context, context.words.missingPage);
  return element(
    'a',
    { class: 'row', ...attributes },
    signOf(context, target, iconOf(ref)),
    words(titleOf(target, ref), noteOf(target, ref)),
    icon(context, 'right', 'flip'),
  );
};

function noteOf({ description }: Target, ref: ContentRef): string | undefined {
  if (description !== undefined) return shorten(description, MAX_NOTE);
  return ref.kind === 'url' ? hostOf(ref.url) : undefined;
}

/** The content of an integration is its own. Without it, its address is a link. */
export const integration: Renderer<IntegrationBlock> = (context, block) => {
  const own = context.options.integration?.(block);
  if (own !== undefined) return element('div', { class: 'integration' }, own);
  const attributes = hrefAttributes(context, block.data.url);
  if (!attributes) return undefined;
  return element(
    'a',
    { class: 'row', ...attributes },
    icon(context, 'link'),
    words(block.data.url ?? '', hostOf(block.data.url ?? '')),
    icon(context, 'out', 'flip'),
  );
};
