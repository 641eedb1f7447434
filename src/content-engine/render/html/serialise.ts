import { Budget } from '../../budget.ts';
import { isSafeUrl } from '../../tree/index.ts';
import type { AttributeValue, HtmlElement, HtmlNode } from './node.ts';
import { isMathElement, URL_ATTRIBUTES, VOCABULARY, VOID_ELEMENTS } from './vocabulary.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers drop it in text and replace it elsewhere.
  '\0': '\uFFFD',
};

/** The only function that turns text into markup, for content and for attribute values. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>"\0]/g, (character) => ENTITIES[character] ?? '');

/** A URL that only navigates: http, https, mailto, tel or relative. */
export const safeUrl = (url: string): string | undefined => (isSafeUrl(url) ? url : undefined);

/** References repeat the title and the description of their targets, so that a page can be much longer than its text. */
const MAX_LENGTH = 16_000_000;

/** The budget for the characters of a page. */
const htmlBudget = (): Budget =>
  new Budget(MAX_LENGTH, 'is more than 16 MB as HTML. Split it into smaller pages.');

/** The rest of an open element: its remaining children, and its end tag. */
interface Frame {
  readonly nodes: readonly HtmlNode[];
  next: number;
  readonly endTag: string;
}

/** Serialises nodes. The stack is explicit: a document may be nested deeper than calls may be. */
export function serialise(root: HtmlNode): string {
  const parts: string[] = [];
  const budget = htmlBudget();
  let counted = 0;
  const frames: Frame[] = [{ nodes: [root], next: 0, endTag: '' }];
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.next === frame.nodes.length) {
      parts.push(frame.endTag);
      frames.pop();
      continue;
    }
    let node = frame.nodes[frame.next++];
    while (typeof node === 'function') node = node();
    if (node === undefined) continue;
    if (typeof node === 'string') parts.push(escape(node));
    else if (isList(node)) frames.push({ nodes: node, next: 0, endTag: '' });
    else frames.push(open(node, parts));
    for (; counted < parts.length; counted++) budget.spend((parts[counted] as string).length);
  }
  return parts.join('');
}

const isList = (node: HtmlElement | readonly HtmlNode[]): node is readonly HtmlNode[] => Array.isArray(node);

/** Writes the start tag. */
function open({ name, attributes, children }: HtmlElement, parts: string[]): Frame {
  const allowed = VOCABULARY.get(name);
  if (!allowed) throw new Error(`The renderer may not write the element ${name}.`);
  let tag = `<${name}`;
  for (const key in attributes) {
    if (!allowed.has(key)) throw new Error(`The renderer may not write the attribute ${key} of ${name}.`);
    tag += attribute(key, attributes[key]);
  }
  if (VOID_ELEMENTS.has(name)) {
    parts.push(`${tag}>`);
    return { nodes: [], next: 0, endTag: '' };
  }
  // Elements of SVG and MathML may close themselves.
  if (children.length === 0 && (name === 'use' || isMathElement(name))) {
    parts.push(`${tag}/>`);
    return { nodes: [], next: 0, endTag: '' };
  }
  parts.push(`${tag}>`);
  return { nodes: children, next: 0, endTag: `</${name}>` };
}

function attribute(name: string, value: AttributeValue): string {
  if (value === undefined || value === false) return '';
  if (value === true) return ` ${name}`;
  const text = URL_ATTRIBUTES.has(name) ? safeUrl(String(value)) : String(value);
  return text === undefined ? '' : ` ${name}="${escape(text)}"`;
}
