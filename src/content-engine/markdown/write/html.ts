import { blocksOf, inlinesOf, stringOf, type BlockNode, type InlineContent } from '../../document/nodes.ts';
import { HTML_MARK, tagsOf } from './rich-text.ts';
import { inlineText, type InlineWriting } from './inline-nodes.ts';
import { escapeAttribute, escapeHtml, escapeHtmlText } from './escape.ts';
import { runsOf, type Run } from './runs.ts';

/** Text with its marks as HTML. */
export function htmlInlines(nodes: readonly InlineContent[], writing: InlineWriting): string {
  const runs = runsOf(nodes);
  return keepSpacesAtBreaks(htmlRuns(runs, writing, { start: true, end: true, marked: false }));
}

/** White space next to a break would be dropped, also where other tags stand between them. */
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
      return run.code ? `<${HTML_MARK['code'] ?? 'code'}>${text}</code>` : text;
    }
    case 'inline':
      return inlineText(run.node, writing, 'html');
    case 'link':
      return `<a href="${escapeAttribute(writing.href(run.node.data?.['ref'], 'link'))}">${htmlRuns(run.runs, writing, inside)}</a>`;
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
  if (blocks.length === 1 && only?.type === 'paragraph' && !stringOf(only.data, 'align'))
    return htmlInlines(inlinesOf(only), writing);
  return blocks.map((block) => htmlBlock(block, writing, other)).join('');
}

function htmlBlock(block: BlockNode, writing: InlineWriting, other: (block: BlockNode) => string): string {
  const text = (): string => htmlInlines(inlinesOf(block), writing);
  const align = stringOf(block.data, 'align');
  const aligned =
    align === 'center' || align === 'end' ? ` align="${align === 'end' ? 'right' : 'center'}"` : '';
  switch (block.type) {
    case 'paragraph':
      return `<p${aligned}>${text()}</p>`;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3': {
      const name = `h${Number(block.type.slice(8)) + 1}`;
      const id = stringOf(block.data, 'id');
      return `<${name}${aligned}${id === undefined ? '' : ` id="${escapeAttribute(id)}"`}>${text()}</${name}>`;
    }
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return htmlList(block, writing, other);
    case 'blockquote':
      return `<blockquote>${blocksOf(block)
        .map((one) => htmlBlock(one, writing, other))
        .join('')}</blockquote>`;
    case 'divider':
      return '<hr>';
    case 'math':
      return `<p>$$${escapeHtml(String(block.data?.['formula'] ?? ''))}$$</p>`;
    default:
      return other(block);
  }
}

function htmlList(block: BlockNode, writing: InlineWriting, other: (block: BlockNode) => string): string {
  const start = block.data?.['start'];
  const name = block.type === 'list-ordered' ? 'ol' : 'ul';
  const tasks = block.type === 'list-tasks';
  const from = name === 'ol' && typeof start === 'number' && start !== 1 ? ` start="${start}"` : '';
  const items = blocksOf(block).map(
    (item) => `<li>${tasks ? boxOf(item) : ''}${htmlBlocks(blocksOf(item), writing, other)}</li>`,
  );
  return `<${name}${from}${tasks ? ' class="contains-task-list"' : ''}>${items.join('')}</${name}>`;
}

const boxOf = (item: BlockNode): string =>
  `<input type="checkbox"${item.data?.['checked'] === true ? ' checked' : ''}>`;
