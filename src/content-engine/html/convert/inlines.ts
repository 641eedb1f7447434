import type { InlineContent, Mark, ParagraphBlock, PlainMark } from '../../document/index.ts';
import {
  attribute,
  isElement,
  isText,
  rawText,
  withoutInvisible,
  type ChildNode,
  type Element,
} from '../dom.ts';
import { MAX_DEPTH } from '../limits.ts';
import { withoutFragment } from '../addresses.ts';
import type { Conversion } from './context.ts';
import { formulaOf } from './math.ts';
import { inlineImage } from './media.ts';
import { mark, paragraph } from './nodes.ts';
import { linesOf, nodesOf, type LinkTarget, type Piece } from './pieces.ts';

/** Text with marks, links, images, formulas and footnotes. */

const MARKS: ReadonlyMap<string, PlainMark> = new Map(
  Object.entries({
    strong: 'bold',
    b: 'bold',
    em: 'italic',
    i: 'italic',
    cite: 'italic',
    dfn: 'italic',
    var: 'italic',
    address: 'italic',
    del: 'strikethrough',
    s: 'strikethrough',
    strike: 'strikethrough',
    code: 'code',
    tt: 'code',
    samp: 'code',
    kbd: 'keyboard',
    sup: 'superscript',
    sub: 'subscript',
  }),
);

const HIGHLIGHT: Mark = { object: 'mark', type: 'color', data: { text: 'default', background: 'yellow' } };

export const inlinesOf = (nodes: readonly ChildNode[], conversion: Conversion): InlineContent[] =>
  nodesOf(linesOf(piecesOf(nodes, conversion)), '\n');

/** On one line, for titles. */
export const lineOf = (nodes: readonly ChildNode[], conversion: Conversion): InlineContent[] =>
  nodesOf(linesOf(piecesOf(nodes, conversion)), ' ');

/** Two line breaks begin a new paragraph. */
export function paragraphsOf(nodes: readonly ChildNode[], conversion: Conversion): ParagraphBlock[] {
  const groups: Piece[][][] = [[]];
  for (const line of linesOf(piecesOf(nodes, conversion))) {
    if (line.length > 0) groups.at(-1)?.push(line);
    else if (groups.at(-1)?.length !== 0) groups.push([]);
  }
  return groups.filter((lines) => lines.length > 0).map((lines) => paragraph(nodesOf(lines, '\n')));
}

interface Style {
  readonly marks: readonly Mark[];
  readonly link: LinkTarget | undefined;
  readonly depth: number;
}

function piecesOf(nodes: readonly ChildNode[], conversion: Conversion): Piece[] {
  const pieces: Piece[] = [];
  for (const node of nodes) addNode(pieces, node, { marks: [], link: undefined, depth: 0 }, conversion);
  return pieces;
}

function addNode(pieces: Piece[], node: ChildNode, style: Style, conversion: Conversion): void {
  if (isText(node)) {
    const text = withoutInvisible(node.value);
    if (text !== '') pieces.push({ kind: 'text', text, marks: style.marks, ...linkMember(style) });
  } else if (isElement(node)) addElement(pieces, node, style, conversion);
}

const linkMember = ({ link }: Style): { link?: LinkTarget } => (link === undefined ? {} : { link });

function addElement(pieces: Piece[], element: Element, style: Style, conversion: Conversion): void {
  const formula = formulaOf(element, conversion);
  if (formula !== undefined) {
    if (formula !== '')
      pieces.push({
        kind: 'inline',
        node: { object: 'inline', type: 'inline-math', data: { formula }, isVoid: true },
        ...linkMember(style),
      });
    return;
  }
  switch (element.tagName) {
    case 'br':
      pieces.push({ kind: 'break' });
      return;
    case 'img':
    case 'picture': {
      const image = inlineImage(element, conversion);
      if (typeof image === 'string') addText(pieces, image, style);
      else if (image) pieces.push({ kind: 'inline', node: image, ...linkMember(style) });
      return;
    }
    case 'a':
      addLink(pieces, element, style, conversion);
      return;
    case 'q':
      addText(pieces, '“', style);
      addChildren(pieces, element, style, conversion);
      addText(pieces, '”', style);
      return;
    case 'rp':
    case 'input':
    case 'button':
    case 'script':
      return;
    default:
      addChildren(pieces, element, withMarks(style, marksOf(element, conversion)), conversion);
  }
}

const addText = (pieces: Piece[], text: string, style: Style): void => {
  if (text !== '') pieces.push({ kind: 'text', text, marks: style.marks, ...linkMember(style) });
};

function addChildren(pieces: Piece[], element: Element, style: Style, conversion: Conversion): void {
  if (style.depth >= MAX_DEPTH) {
    addText(pieces, withoutInvisible(rawText(element)), style);
    return;
  }
  const inner = { ...style, depth: style.depth + 1 };
  // Blocks where only text may be, as in titles: their texts do not touch.
  const isApart = conversion.measures(element).block;
  for (const child of element.childNodes) {
    addNode(pieces, child, inner, conversion);
    if (isApart && isElement(child)) addText(pieces, ' ', { ...style, marks: [] });
  }
}

function marksOf(element: Element, { styleMarks }: Conversion): readonly Mark[] {
  const { tagName } = element;
  if (tagName === 'mark') return [HIGHLIGHT];
  const type = MARKS.get(tagName);
  if (type !== undefined) return [mark(type)];
  return styleMarks(element);
}

const withMarks = (style: Style, marks: readonly Mark[]): Style => {
  const added = marks.filter((one) => !style.marks.some(({ type }) => type === one.type));
  return added.length === 0 ? style : { ...style, marks: [...style.marks, ...added] };
};

function addLink(pieces: Piece[], element: Element, style: Style, conversion: Conversion): void {
  const href = attribute(element, 'href');
  const note = conversion.footnotes.annotation(element, conversion);
  if (note !== undefined) {
    if (note) pieces.push({ kind: 'inline', node: note });
    return;
  }
  const link = href === undefined || style.link ? undefined : targetOf(element, href, conversion);
  addChildren(pieces, element, link ? { ...style, link } : style, conversion);
}

/** An anchor is an id of the page until the document is written. Undefined: the link leads nowhere, and is text. */
export function targetOf(element: Element, href: string, conversion: Conversion): LinkTarget | undefined {
  const { addresses, links } = conversion;
  const anchor = addresses.fragmentOf(href);
  if (anchor !== undefined)
    return anchor.toLowerCase() === 'top' ? undefined : { ref: { kind: 'anchor', anchor } };
  const url = href.trim() === '' || href.trim() === '#' ? undefined : addresses.resolve(href);
  if (url === undefined || isMissingPage(url)) return undefined;
  const isFollowed = /^https?:/.test(url) && !/\bnofollow\b/i.test(attribute(element, 'rel') ?? '');
  if (isFollowed) links.add(withoutFragment(new URL(url)));
  return { ref: { kind: 'url', url } };
}

/** MediaWiki: a link to a page that does not exist leads to the editor. */
const isMissingPage = (url: string): boolean => /[?&]redlink=1(?:&|$)/.test(url);
