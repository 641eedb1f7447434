import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

/**
 * The content of HTML in a form in which ours and that of the CommonMark specification can be compared. It leaves out what
 * a document does not hold: whether a list is tight, titles of links, the order of nested marks, levels of headings below
 * the third.
 */

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Node): node is Element => 'tagName' in node;
const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((one) => one.name === name)?.value ?? '';

const hasClass = (element: Element, name: string): boolean =>
  attribute(element, 'class').split(' ').includes(name);

/** One line per block, indented by its depth. */
export const comparable = (html: string): string =>
  blocksIn(parseFragment(html).childNodes).join('\n').normalize();

const INLINE = new Set([
  'a', 'abbr', 'b', 'br', 'button', 'code', 'del', 'em', 'i', 'img', 'input', 'kbd', 'mark', 'math', 'span', 'strong', 'sub', 'sup', 'svg',
]); // prettier-ignore

const isInline = (node: Node): boolean => !isElement(node) || INLINE.has(node.tagName);

/** Blocks. Inlines beside each other are a paragraph, as in tight lists. */
function blocksIn(nodes: readonly Node[]): string[] {
  const lines: string[] = [];
  let run: Node[] = [];
  const flush = (): void => {
    lines.push(...paragraph(run));
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      flush();
      lines.push(...block(node as Element));
    }
  }
  flush();
  return lines;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const LEVELS: Readonly<Record<string, string>> = {
  h1: 'h2',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h4',
  h6: 'h4',
};

function block(element: Element): string[] {
  const { tagName, childNodes } = element;
  const level = LEVELS[tagName];
  if (level !== undefined) return [`${level} ${inlineText(headingContent(element))}`];
  switch (tagName) {
    case 'p':
      return paragraph(childNodes);
    case 'pre':
      return code(element);
    case 'hr':
      return ['hr'];
    case 'figure':
      return hasClass(element, 'code')
        ? blocksIn(childNodes.filter((node) => !isCopy(node)))
        : figure(element);
    case 'ol':
      return [`ol ${attribute(element, 'start') || 1}`, ...indented(blocksIn(childNodes))];
    case 'td':
    case 'th':
      return [`cell ${alignment(element)}`, ...indented(blocksIn(childNodes))];
    case 'div':
    case 'table':
    case 'thead':
    case 'tbody':
    case 'colgroup':
      return blocksIn(childNodes);
    default:
      return [tagName, ...indented(blocksIn(childNodes))];
  }
}

/** GFM has an attribute for it, we have a class. */
const alignment = (element: Element): string => {
  const align = attribute(element, 'align');
  if (align !== '') return align;
  return hasClass(element, 'end') ? 'right' : hasClass(element, 'center') ? 'center' : '';
};

const isCopy = (node: Node): boolean => isElement(node) && hasClass(node, 'copy');

/** Our headings are links to themselves. */
function headingContent({ childNodes }: Element): readonly Node[] {
  return childNodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    if (node.tagName === 'a' && attribute(node, 'href').startsWith('#') && childNodes[0] === node) {
      const isEmpty = node.childNodes.some((child) => isElement(child) && hasClass(child, 'hidden'));
      return isEmpty ? [] : node.childNodes;
    }
    return node.tagName === 'span' ? node.childNodes : [node];
  });
}

function code(element: Element): string[] {
  const inner = element.childNodes.find((node) => isElement(node));
  const language = inner && isElement(inner) ? attribute(inner, 'class') : '';
  return [`code ${language}`, JSON.stringify(textOf(element.childNodes).replace(/\n+$/, ''))];
}

/** An image that is alone in its paragraph. Its title is a caption. */
function figure({ childNodes }: Element): string[] {
  const image = childNodes.find((node) => isElement(node) && node.tagName === 'img') as Element | undefined;
  const caption = childNodes.find((node) => isElement(node) && node.tagName === 'figcaption') as
    | Element
    | undefined;
  if (!image) return blocksIn(childNodes);
  return [imageText(image, caption ? textOf(caption.childNodes).trim() : '')];
}

const imageText = (image: Element, title: string): string =>
  `image ${url(attribute(image, 'src'))} "${collapse(attribute(image, 'alt'))}" ${collapse(title)}`;

function paragraph(nodes: readonly Node[]): string[] {
  const shown = nodes.filter((node) => !isText(node) || node.value.trim() !== '');
  const [only, ...more] = shown;
  if (only && more.length === 0 && isElement(only) && only.tagName === 'img')
    return [imageText(only, attribute(only, 'title'))];
  const text = inlineText(nodes);
  return text === '' ? [] : [`p ${text}`];
}

interface Run {
  text: string;
  readonly marks: string;
}

/** Text with the marks and the address of each run; equal neighbours are one. */
function inlineText(nodes: readonly Node[]): string {
  const runs: Run[] = [];
  const visit = (node: Node, marks: readonly string[]): void => {
    if (isText(node)) add(runs, node.value, marks);
    else if (isElement(node)) element(node, marks);
  };
  const element = (node: Element, marks: readonly string[]): void => {
    if (node.tagName === 'br') add(runs, '\u{23CE}', []);
    else if (node.tagName === 'input') add(runs, hasAttribute(node, 'checked') ? '[x]' : '[ ]', []);
    else if (node.tagName === 'img') add(runs, `{${imageText(node, attribute(node, 'title'))}}`, marks);
    else {
      const own = markOf(node);
      const inner = own === '' || marks.includes(own) ? marks : [...marks, own];
      node.childNodes.forEach((child) => visit(child, inner));
    }
  };
  nodes.forEach((node) => visit(node, []));
  return collapse(runs.map(({ text, marks }) => (marks === '' ? text : `<${marks}>${text}</>`)).join(''))
    .replaceAll(/ ?\u{23CE} ?/gu, '\u{23CE}')
    .trim();
}

const hasAttribute = ({ attrs }: Element, name: string): boolean => attrs.some((one) => one.name === name);

function add(runs: Run[], content: string, all: readonly string[]): void {
  const marks = all.toSorted().join(' ');
  const last = runs.at(-1);
  // White space behind a line break is not shown.
  const text = last?.text.endsWith('\u{23CE}') ? content.trimStart() : content;
  if (last?.marks === marks) last.text += text;
  else if (text !== '') runs.push({ text, marks });
}

function markOf(node: Element): string {
  if (node.tagName === 'a') return `a=${url(attribute(node, 'href'))}`;
  return node.tagName === 'span' ? '' : node.tagName;
}

const collapse = (text: string): string => text.replaceAll(/[ \t\r\n]+/g, ' ');

/** As browsers encode it. */
function url(href: string): string {
  return href.replaceAll(/[^!-~]|["<>\\`{}^|[\]]/gu, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%EF%BF%BD';
    }
  });
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textOf(node.childNodes) : ''))
    .join('');
}
