import type { CodeBlock, CodeData, CodeLineBlock, InlineNode } from '../../../document/index.ts';
import { decodeEntities } from '../../scan/syntax/entities.ts';
import { has, isSet, valueIn } from '../../scan/syntax/html-tag.ts';
import { InlineBuilder } from '../inlines/inline-builder.ts';
import { isElement, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { atom } from '../inlines/atom.ts';
import { rawOf } from './html-text.ts';
import { noteOf } from '../inlines/marks.ts';
import type { Reading } from '../reading.ts';
import type { Span } from '../span.ts';

/** Text with a footnote. */
interface Noted {
  readonly label: string;
  readonly text: string;
}

interface Line {
  pieces: (string | InlineNode | Noted)[];
  highlighted: boolean;
}

/** `<pre><code>` is written instead of a fence when lines are highlighted (`<strong>`) or hold inlines. */
export function preBlock(reading: Reading, span: Span, pre: HtmlElement, key: string): CodeBlock {
  const lines: Line[] = [{ pieces: [], highlighted: false }];
  collect(span, pre.children, lines, false);
  const last = lines.at(-1);
  if (lines.length > 1 && last?.pieces.length === 0) lines.pop();
  const nodes = lines.map((line, index) => codeLine(reading, line, `${key}/${index}`));
  return { object: 'block', type: 'code', key, data: dataOf(pre), nodes };
}

function dataOf(pre: HtmlElement): CodeData {
  const code = pre.children.find(
    (child): child is HtmlElement => isElement(child) && child.element.name === 'code',
  );
  const classes = `${valueIn(pre.element, 'class') ?? ''} ${code ? (valueIn(code.element, 'class') ?? '') : ''}`;
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1];
  const data: CodeData = {};
  if (syntax) data.syntax = syntax;
  const title = valueIn(pre.element, 'data-title');
  if (title) data.title = title;
  const overflow = valueIn(pre.element, 'data-overflow');
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow;
  if (has(pre.element, 'data-line-numbers'))
    data.lineNumbers = valueIn(pre.element, 'data-line-numbers') !== 'false';
  if (isSet(pre.element, 'data-full-width')) data.fullWidth = true;
  if (has(pre.element, 'data-expandable'))
    data.expandable = valueIn(pre.element, 'data-expandable') !== 'false';
  return data;
}

function collect(span: Span, nodes: readonly HtmlNode[], lines: Line[], strong: boolean): void {
  for (const node of nodes) {
    if (!isElement(node)) addText(decodeEntities(span.text.slice(node.from, node.to)), lines, strong);
    else if (node.element.name === 'code' && valueIn(node.element, 'class') === 'expression') {
      lines
        .at(-1)
        ?.pieces.push(atom({ type: 'expression', data: { expression: rawOf(span, node.children) } }));
    } else if (noteOf(node.element) !== undefined) addNoted(span, node, lines, strong);
    else collect(span, node.children, lines, strong || node.element.name === 'strong');
  }
}

function addNoted(span: Span, node: HtmlElement, lines: Line[], strong: boolean): void {
  const text = rawOf(span, node.children).replace(/[\r\n]+/g, ' ');
  const line = lines.at(-1) as Line;
  line.pieces.push({ label: noteOf(node.element) ?? '', text });
  if (strong) line.highlighted = true;
}

/** The line feed of a highlighted line is inside its `<strong>`. */
function addText(text: string, lines: Line[], strong: boolean): void {
  const parts = text.split(/\r\n?|\n/);
  parts.forEach((part, index) => {
    if (index > 0) lines.push({ pieces: [], highlighted: false });
    const line = lines.at(-1) as Line;
    if (part !== '') line.pieces.push(part);
    if (strong && (part !== '' || index < parts.length - 1)) line.highlighted = true;
  });
}

function codeLine(reading: Reading, line: Line, key: string): CodeLineBlock {
  const builder = new InlineBuilder(key);
  for (const piece of line.pieces) {
    if (typeof piece === 'string') builder.text(piece);
    else if ('object' in piece) builder.inline(piece);
    else reading.annotate(builder, piece.label, piece.text);
  }
  return {
    object: 'block',
    type: 'code-line',
    key,
    data: line.highlighted ? { highlighted: true } : {},
    nodes: builder.finish(),
  };
}
