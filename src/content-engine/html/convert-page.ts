import { parse } from 'parse5';
import { headingLevel, ownText, type BlockNode } from '../document/index.ts';
import { analyse, isMdx, mdxIn, splitSource } from '../markdown/index.ts';
import { cleanTitle } from '../tree/index.ts';
import { addressesOf, withoutFragment, type Addresses } from './addresses.ts';
import { boundedAdapter } from './bounded-adapter.ts';
import { decodeText } from './charset.ts';
import { anchorsById, idsIn, placesIn } from './convert/anchors.ts';
import { convertBlocks } from './convert/blocks/blocks.ts';
import { footnotesIn } from './convert/footnotes.ts';
import { headingsOf, isHeading } from './convert/headings.ts';
import { findFormulaContainers } from './convert/math.ts';
import { styleMarksOf } from './convert/style-marks.ts';
import { csvTable } from './csv-table.ts';
import { findAll, textOf, type Element } from './dom.ts';
import { hintsFor } from './generators/detect.ts';
import { dropChrome, findMain, identifyHeadings, titleElement } from './main-content/main-content.ts';
import { measure } from './main-content/measure.ts';
import { metadataOf, titleFromUrl, withoutSiteName, type Metadata } from './metadata.ts';
import { contentsOf, linksBeside, navigationOf } from './navigation/navigation.ts';
import { readNotionMarkdown } from './notion-markdown.ts';
import { MAX_IMAGES, MAX_LINKS, MAX_WARNINGS } from './limits.ts';
import type { ConvertedPage, ConvertInput, PageAnalysis } from './types.ts';
import { usefulDescription, writePage } from './write-page.ts';

/** Longer ones are paragraphs that were marked as headings. */
const MAX_TITLE = 300;

/** A page as Markdown, with its links. Throws `BudgetExceeded` and `NotText`. */
export function convertPage(input: ConvertInput): ConvertedPage {
  const text = decodeText(input.bytes, input.contentType);
  return input.kind === 'html' ? htmlPage(text, input) : markdownPage(asMarkdown(text, input), input);
}

function asMarkdown(text: string, { kind, generator, hasProperties = false }: ConvertInput): string {
  if (kind === 'csv') return csvTable(text);
  return generator === 'notion' ? readNotionMarkdown(text, hasProperties) : text;
}

/** The Markdown is analysed when the nodes of the page are free: a large page has a hundred megabytes of them. */
function htmlPage(text: string, input: ConvertInput): ConvertedPage {
  const { body, ...page } = markdownOf(text, input);
  return { ...page, analysis: analysisOf(body) };
}

function markdownOf(
  text: string,
  { url, generator: named }: ConvertInput,
): Omit<ConvertedPage, 'analysis'> & { readonly body: string } {
  const document = parse(text, { treeAdapter: boundedAdapter() });
  const hints = hintsFor(document, named);
  const metadata = metadataOf(document);
  const addresses = addressesOf(url, metadata.base);
  const main = findMain(document, hints);
  const navigation = navigationOf(document, hints, main, addresses);
  const contents = contentsOf(main, hints, addresses);
  const isAlone = navigation.length === 0 && contents.length === 0;
  const beside = linksBeside(document, hints, isAlone, addresses);
  const styleMarks = styleMarksOf(document, hints);
  const ids = idsIn(document);
  const heading = titleElement(document, hints) ?? firstHeading(main);
  const headingTitle =
    heading &&
    cleanTitle(pageName(textOf(withoutAnchors(heading)), hints.titleSeparator).slice(0, MAX_TITLE));
  const title = headingTitle ?? titleWithoutHeading(metadata, url);
  identifyHeadings(main);
  if (heading && headingTitle !== undefined) remove(heading);
  const lost = dropChrome(main, hints);
  const places = placesIn(main);
  const headings = headingsOf(
    main,
    headingTitle === undefined ? undefined : heading,
    hints.replacesIds === true,
  );
  const [links, images] = [new Set<string>(beside), new Set<string>()];
  const converted = convertBlocks(main, {
    hints,
    addresses,
    measures: measure(main),
    headings,
    footnotes: footnotesIn(main),
    styleMarks,
    formulaContainers: findFormulaContainers(main),
    links,
    images,
  });
  const blocks = withoutEmptyEnd(converted);
  const ownDescription = hints.hasSiteDescription === true ? undefined : metadata.description;
  const description = usefulDescription(ownDescription, title, blocks);
  const anchors = anchorsById(ids, places, blocks, headings.blockOf);
  const { markdown, body } = writePage(title, description, blocks, (ref) =>
    ref.kind === 'anchor' ? hrefOfAnchor(anchors.get(ref.anchor) ?? ref.anchor, addresses) : undefined,
  );
  const redirect = redirectOf(metadata, addresses);
  const canonical = metadata.canonical === undefined ? undefined : addresses.resolve(metadata.canonical);
  return {
    title,
    ...(description === undefined ? {} : { description }),
    markdown,
    body,
    anchorsById: new Map([...anchors].filter(([id, anchor]) => id !== anchor)),
    navigation,
    contents,
    ...(redirect === undefined ? {} : { redirect }),
    ...(hints.isFrame === true ? { isFrame: true } : {}),
    links: metadata.robots.noFollow ? [] : [...links].slice(0, MAX_LINKS),
    images: [...images],
    lost,
    ...(canonical === undefined || !/^https?:/.test(canonical)
      ? {}
      : { canonical: withoutFragment(new URL(canonical)) }),
    generator: hints.generator,
    robots: metadata.robots,
  };
}

/**
 * The heading that is the title: the first `h1`, or what the text begins with, if no other heading is of its level. The
 * first section of every manual page is named so; its title is that of the document.
 */
function firstHeading(main: Element): Element | undefined {
  const all = findAll(main, ({ tagName }) => isHeading(tagName));
  const h1 = all.find(({ tagName }) => tagName === 'h1');
  if (h1) return textOf(h1) === 'NAME' ? undefined : h1;
  const [first, ...more] = all;
  const isOnly = first && more.every(({ tagName }) => tagName > first.tagName);
  return isOnly && textOf(main).startsWith(textOf(first)) ? first : undefined;
}

/** Undefined also where a page loads itself again: it has a text of its own. */
function redirectOf({ refresh }: Metadata, addresses: Addresses): string | undefined {
  const url = refresh === undefined ? undefined : addresses.resolve(refresh);
  return url === undefined || withoutFragment(new URL(url)) === addresses.page ? undefined : url;
}

/** A link to a part without a heading leads to the page. One to a part that does not exist is kept, and broken. */
const hrefOfAnchor = (anchor: string, { page }: Addresses): string =>
  anchor === '' ? page : `#${anchor.replaceAll('%', '%25')}`;

/** The text of a heading does not include the sign that links to it. */
const withoutAnchors = (heading: Element): Element => ({
  ...heading,
  childNodes: heading.childNodes.filter(
    (node) =>
      !('tagName' in node && node.tagName === 'a' && textOf(node).length <= 1 && node.childNodes.length <= 1),
  ),
});

/** The title without the name of the space before it. */
function pageName(title: string, separator: string | undefined): string {
  const at = separator === undefined ? -1 : title.indexOf(separator);
  return separator === undefined || at < 0 ? title : title.slice(at + separator.length);
}

/** Lines and headings that were before footnotes or before a part that is no text of the page. */
function withoutEmptyEnd(blocks: readonly BlockNode[]): BlockNode[] {
  const isLeft = (block: BlockNode): boolean =>
    block.type === 'divider' ||
    (headingLevel(block) > 0 && /^(?:references|footnotes|notes)$/i.test((ownText(block) ?? '').trim()));
  const last = blocks.findLastIndex((block) => !isLeft(block));
  return blocks.slice(0, last + 1);
}

function titleWithoutHeading({ ogTitle, title, siteName }: Metadata, url: string): string {
  const candidates = [ogTitle, title].map(
    (one) => one && cleanTitle(withoutSiteName(one, siteName).slice(0, MAX_TITLE)),
  );
  return (
    candidates.find((one) => one !== undefined && one !== '') ??
    cleanTitle(titleFromUrl(new URL(url))) ??
    'Untitled'
  );
}

function remove(element: Element): void {
  const parent = element.parentNode;
  if (parent) parent.childNodes = parent.childNodes.filter((node) => node !== element);
}

/** The blank lines before the body belong to the title. */
const BLANK = /^(?:[ \t]*(?:\r\n?|\n))+/;

function markdownPage(text: string, { url }: ConvertInput): ConvertedPage {
  const { body, titleText, fields } = splitSource(text);
  const analysis = analysisOf(body.replace(BLANK, ''));
  const addresses = addressesOf(url, undefined);
  const title =
    cleanTitle(titleText ?? '') ??
    cleanTitle(fields.title ?? '') ??
    cleanTitle(titleFromUrl(new URL(url))) ??
    'Untitled';
  const { description } = fields;
  return {
    title,
    ...(description === undefined ? {} : { description }),
    markdown: text,
    analysis,
    navigation: [],
    contents: [],
    links: absolute(analysis, addresses, (kind) => kind !== 'image').slice(0, MAX_LINKS),
    images: absolute(analysis, addresses, (kind) => kind === 'image').slice(0, MAX_IMAGES),
    ...(isMdx(new URL(url).pathname) ? { lost: mdxIn(text)?.names ?? [] } : {}),
    generator: 'unknown',
    robots: { noIndex: false, noFollow: false },
  };
}

function absolute(
  { hrefs }: PageAnalysis,
  addresses: Addresses,
  isWanted: (kind: string) => boolean,
): string[] {
  const found = new Set<string>();
  for (const { href, kind } of hrefs) {
    const url = isWanted(kind) && !href.startsWith('#') ? addresses.resolve(href) : undefined;
    if (url !== undefined && /^https?:/.test(url)) found.add(withoutFragment(new URL(url)));
  }
  return [...found];
}

function analysisOf(body: string): PageAnalysis {
  const { hrefs, sections, specs, anchors, warnings } = analyse(body);
  return { hrefs, sections, specs, anchors, warnings: warnings.slice(0, MAX_WARNINGS) };
}
