import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { VOCABULARY } from '../src/content-engine/render/html/vocabulary.ts';

/** What a browser makes of rendered HTML. */

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Node): node is Element => 'tagName' in node;

const childrenOf = (html: string): Node[] => {
  const [wrapper] = parseFragment(`<div>${html}</div>`).childNodes;
  return wrapper && isElement(wrapper) ? wrapper.childNodes : [];
};

function* nodesIn(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    if (isElement(node)) yield* nodesIn(node.childNodes);
  }
}

const FRAMES =
  /^https:\/\/(?:www\.youtube-nocookie\.com|player\.vimeo\.com|www\.loom\.com|codepen\.io|codesandbox\.io|stackblitz\.com|open\.spotify\.com|embed\.figma\.com)\//;

/** Whatever a page may not contain: elements, attributes and URLs that the renderer must never write. */
export function violationsIn(html: string): string[] {
  const found: string[] = [];
  // A second div would mean that content has closed the first one.
  if (parseFragment(`<div>${html}</div>`).childNodes.length !== 1) found.push('content leaves its container');
  for (const node of nodesIn(childrenOf(html))) {
    if (node.nodeName === '#text') continue;
    if (!isElement(node)) found.push(`a node ${node.nodeName}`);
    else found.push(...elementViolations(node));
  }
  return found;
}

function elementViolations({ tagName, attrs }: Element): string[] {
  const allowed = VOCABULARY.get(tagName);
  if (!allowed) return [`<${tagName}>`];
  return attrs.flatMap(({ name, value }) => {
    if (!allowed.has(name)) return [`<${tagName} ${name}="${value}">`];
    if (tagName === 'use') return value.startsWith('#i-') ? [] : [`an icon at ${value}`];
    if (tagName === 'iframe' && name === 'src') return FRAMES.test(value) ? [] : [`a frame of ${value}`];
    if (name !== 'href' && name !== 'src') return [];
    return isHarmless(value) ? [] : [`<${tagName} ${name}="${value}">`];
  });
}

function isHarmless(url: string): boolean {
  try {
    const { protocol } = new URL(url, 'https://site.example/page');
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol);
  } catch {
    // No browser follows it.
    return true;
  }
}

const VOID = new Set(['br', 'col', 'hr', 'img', 'input']);
const TAG = /<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/g;

/** The nesting of elements as it is written. */
export function writtenNesting(html: string): string {
  let nesting = '';
  for (const [, end, name = '', selfClosed] of html.matchAll(TAG)) {
    if (end === '/') nesting += ')';
    else nesting += selfClosed === '/' || VOID.has(name) ? `${name}()` : `${name}(`;
  }
  return nesting;
}

/** The nesting of elements as a parser reads it. It differs from the written one where the parser repairs something. */
export const parsedNesting = (html: string): string => nestingOf(childrenOf(html));

const nestingOf = (nodes: readonly Node[]): string =>
  nodes
    .filter(isElement)
    .map(({ tagName, childNodes }) => `${tagName}(${nestingOf(childNodes)})`)
    .join('');
