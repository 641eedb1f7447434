import {
  EXPANDABLE_BODY,
  EXPANDABLE_TITLE,
  expandableBody,
  expandableTitle,
  paragraphOf,
  type BlockNode,
  type ExpandableBlock,
} from '../../document/index.ts';
import { spanOf, within, type Span } from '../read/span.ts';
import { htmlTagAt } from '../scan/syntax/html-tag.ts';
import type { Token } from '../scan/token.ts';
import { linesOfHtml, type BlockReader, type MarkdownBlock } from './kind.ts';

export const expandable: MarkdownBlock<'expandable'> = {
  write: (writer, block) => {
    const summary = linesOfHtml(writer, expandableTitle(block));
    const body = writer.blocks(expandableBody(block));
    const open = block.data?.defaultExpanded === true ? ' open' : '';
    return `<details${open}>\n\n<summary>${summary}</summary>\n\n${body === '' ? '' : `${body}\n\n`}</details>`;
  },
};

export function readExpandable(reader: BlockReader, token: Token, key: string): BlockNode[] {
  const children = token.children ?? [];
  const at = children.findIndex((child) => child.kind === 'summary');
  const summary = at === 0 ? children[0] : undefined;
  const titleKey = `${key}/title`;
  const text = summary && reader.htmlText(withoutEnd(spanOf(reader.reading.src, summary)), titleKey);
  const title = paragraphOf(titleKey, text);
  const body = reader.blocks(summary ? children.slice(1) : children, true);
  if (body.length === 0) body.push(paragraphOf(`${key}/body/0`));
  const element = htmlTagAt(reader.reading.src, token.start, token.to);
  const open = element?.attributes.some((one) => one.name === 'open') ?? false;
  const block: ExpandableBlock = {
    object: 'block',
    type: 'expandable',
    key,
    data: open ? { defaultExpanded: true } : {},
    fragments: [
      {
        object: 'fragment',
        key: `${key}/t`,
        fragment: EXPANDABLE_TITLE,
        type: EXPANDABLE_TITLE,
        nodes: [title],
      },
      {
        object: 'fragment',
        key: `${key}/b`,
        fragment: EXPANDABLE_BODY,
        type: EXPANDABLE_BODY,
        nodes: body,
      },
    ],
    isVoid: true,
  };
  reader.reading.parts.push(block);
  return [block];
}

/** A summary over several lines was collected with its end tag. */
function withoutEnd(span: Span): Span {
  if (!span.map) return span;
  const end = span.text.indexOf('</summary>');
  return end < 0 ? span : within(span, span.from, end);
}
