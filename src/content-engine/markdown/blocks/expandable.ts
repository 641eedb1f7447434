import type { BlockNode } from '../../document/nodes.ts';
import { spanOf, within, type Span } from '../read/span.ts';
import { elementAt } from '../scan/element.ts';
import type { Token } from '../scan/token.ts';
import { fragmentBlocks, linesOfHtml, type BlockKind, type BlockReader } from './kind.ts';

export const expandable: BlockKind = {
  type: 'expandable',
  token: 'details',
  write: (writer, block) => {
    const summary = linesOfHtml(writer, fragmentBlocks(block, 'expandable-title'));
    const body = writer.blocks(fragmentBlocks(block, 'expandable-body'));
    const open = block.data?.['defaultExpanded'] === true ? ' open' : '';
    return `<details${open}>\n\n<summary>${summary}</summary>\n\n${body === '' ? '' : `${body}\n\n`}</details>`;
  },
  read: readExpandable,
};

function readExpandable(reader: BlockReader, token: Token, key: string): BlockNode[] {
  const children = token.children ?? [];
  const at = children.findIndex((child) => child.kind === 'summary');
  const summary = at === 0 ? children[0] : undefined;
  const titleKey = `${key}/title`;
  const title: BlockNode = { object: 'block', type: 'paragraph', key: titleKey, nodes: [] };
  if (summary) {
    const span = spanOf(reader.reading.src, summary);
    title.nodes = reader.htmlText(withoutEnd(span), titleKey);
  }
  const body = reader.blocks(summary ? children.slice(1) : children, true);
  if (body.length === 0) body.push({ object: 'block', type: 'paragraph', key: `${key}/body/0`, nodes: [] });
  const element = elementAt(reader.reading.src, token.start, token.to);
  const open = element?.attributes.some((one) => one.name === 'open') ?? false;
  const block: BlockNode = {
    object: 'block',
    type: 'expandable',
    key,
    data: open ? { defaultExpanded: true } : {},
    fragments: [
      {
        object: 'fragment',
        key: `${key}/t`,
        fragment: 'expandable-title',
        type: 'expandable-title',
        nodes: [title],
      },
      {
        object: 'fragment',
        key: `${key}/b`,
        fragment: 'expandable-body',
        type: 'expandable-body',
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
