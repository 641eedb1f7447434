import {
  headingLevel,
  type Alignment,
  type BlockNode,
  type InlineContent,
  type ListBlock,
  type ListItemBlock,
} from '../../document/index.ts';
import { tagsOf } from './rich-text.ts';
import { inlineText, type InlineWriting } from './inline-nodes.ts';
import { escapeAttribute, escapeHtml, escapeHtmlText } from './escape.ts';
import { runsOf, type Run } from './runs.ts';

/** Text with its marks as HTML. */
export function htmlInlines(nodes: readonly InlineContent[], writing: InlineWriting): string {
  const runs = runsOf(nodes);
  return keepSpacesAtBreaks(htmlRuns(runs, writing, { start: true, end: true, marked: false }));
}

/** White space next to a break would be dropped, also with other tags in between. */
function keepSpacesAtBreaks(html: string): string {
  if (!html.includes('<br>')) return html;
  const pieces = escapedAfterBreaks(html.split(/(<[^<>]*>)/), /^ /);
  return escapedAfterBreaks(pieces.toReversed(), / $/).toReversed().join('');
}

function escapedAfterBreaks(pieces: readonly string[], space: RegExp): string[] {
  let afterBreak = false;
  return pieces.map((piece) => {
    if (piece === '' || piece.startsWith('<')) {
      if (piece === '<br>') afterBreak = true;
      return piece;
    }
    const text = afterBreak ? piece.replace(space, '&#x20;') : piece;
    afterBreak = false;
    return text;
  });
}

interface Edges {
  readonly start: boolean;
  readonly end: boolean;
  readonly marked: boolean;
}

function htmlRuns(runs: readonly Run[], writing: InlineWriting, edges: Edges): string {
  return runs
    .map((run, index) => {
      const start = (edges.start && index === 0) || edges.marked;
      const end = (edges.end && index === runs.length - 1) || edges.marked;
      return htmlRun(run, writing, { start, end, marked: edges.marked });
    })
    .join('');
}

/** White space at the edge of an element would be moved or dropped. */
function htmlRun(run: Run, writing: InlineWriting, edges: Edges): string {
  const inside = { start: true, end: true, marked: true };
  switch (run.kind) {
    case 'text': {
      const text = textWithBreaks(run.text, run.code ? inside : edges);
      return run.code ? `<code>${text}</code>` : text;
    }
    case 'inline':
      return inlineText(run.node, writing, 'html');
    case 'link':
      return `<a href="${escapeAttribute(writing.href(run.node.data.ref, 'link'))}">${htmlRuns(run.runs, writing, inside)}</a>`;
    default: {
      const [open, close] = tagsOf(run.mark);
      return `${open}${htmlRuns(run.runs, writing, inside)}${close}`;
    }
  }
}

function textWithBreaks(text: string, edges: Edges): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) =>
      escapeHtmlText(line, {
        start: edges.start || index > 0,
        end: edges.end || index < lines.length - 1,
      }),
    )
    .join('<br>');
}

/** Blocks as HTML, for cells: one paragraph alone needs no element. */
export function htmlBlocks(
  blocks: readonly BlockNode[],
  writing: InlineWriting,
  other: (block: BlockNode) => string,
): string {
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === 'paragraph' && !only.data?.align)
    return htmlInlines(only.nodes ?? [], writing);
  return blocks.map((block) => htmlBlock(block, writing, other)).join('');
}

function htmlBlock(block: BlockNode, writing: InlineWriting, other: (block: BlockNode) => string): string {
  switch (block.type) {
    case 'paragraph':
      return `<p${alignAttribute(block.data?.align)}>${htmlInlines(block.nodes ?? [], writing)}</p>`;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3': {
      const name = `h${headingLevel(block) + 1}`;
      const { id, align } = block.data ?? {};
      const anchor = id === undefined ? '' : ` id="${escapeAttribute(id)}"`;
      return `<${name}${alignAttribute(align)}${anchor}>${htmlInlines(block.nodes ?? [], writing)}</${name}>`;
    }
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return htmlList(block, writing, other);
    case 'blockquote':
      return `<blockquote>${(block.nodes ?? [])
        .map((one) => htmlBlock(one, writing, other))
        .join('')}</blockquote>`;
    case 'divider':
      return '<hr>';
    case 'math':
      return `<p>$$${escapeHtml(block.data.formula)}$$</p>`;
    default:
      return other(block);
  }
}

const alignAttribute = (align: Alignment | undefined): string =>
  align === 'center' || align === 'end' ? ` align="${align === 'end' ? 'right' : 'center'}"` : '';

function htmlList(list: ListBlock, writing: InlineWriting, other: (block: BlockNode) => string): string {
  const isTasks = list.type === 'list-tasks';
  const items = (list.nodes ?? []).map(
    (item) => `<li>${isTasks ? boxOf(item) : ''}${htmlBlocks(item.nodes ?? [], writing, other)}</li>`,
  );
  const content = items.join('');
  if (list.type !== 'list-ordered')
    return `<ul${isTasks ? ' class="contains-task-list"' : ''}>${content}</ul>`;
  const start = list.data?.start ?? 1;
  return `<ol${start === 1 ? '' : ` start="${start}"`}>${content}</ol>`;
}

const boxOf = (item: ListItemBlock): string =>
  `<input type="checkbox"${item.data?.checked === true ? ' checked' : ''}>`;
