import {
  canonicalBlocks,
  readTable,
  type BlockNode,
  type Column,
  type Row,
  type Table,
  type TableBlock,
} from '../../document/index.ts';
import { eachCell } from '../scan/syntax/pipe.ts';
import type { Token } from '../scan/token.ts';
import { blocksIn, hasPipeForm, pipeCell, ruleOf, titleNodes } from '../write/table.ts';
import type { Writer } from '../write/writer.ts';
import { mergeText } from './merge-text.ts';

/** A pipe table of the source, and its edited node. */
interface TableEdit {
  readonly body: string;
  readonly token: Token;
  readonly old: TableBlock;
  readonly edited: TableBlock;
  readonly writer: Writer;
  /** The prefix of the lines of the table. */
  readonly prefix: string;
  /** Whether an edited cell keeps the spelling of its text. */
  readonly keepsSpelling: boolean;
}

/** A line of the source, and the text between it and the previous line. */
interface Line {
  readonly lead: string;
  readonly from: number;
  readonly to: number;
  readonly cells: readonly Cell[];
}

/** A cell: its text, and the range between its pipes. */
interface Cell {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly outerFrom: number;
  readonly outerTo: number;
}

/**
 * The table with only the changed cells rewritten, each between its own pipes. Undefined: a pipe table cannot express the
 * edit.
 */
export function mergeTable(edit: TableEdit): string | undefined {
  const { old, edited, prefix } = edit;
  const [before, after] = [readTable(old), readTable(edited)];
  const [head, rule, ...rows] = linesOf(edit);
  if (!head || !rule || !hasPipeForm(after, edited)) return undefined;
  const place = new Map(before.columns.map(({ id }, index) => [id, index]));
  // Which column of the source each one was; -1 for a new one.
  const sources = after.columns.map(({ id }) => place.get(id) ?? -1);
  const sameColumns =
    sources.length === before.columns.length && sources.every((source, index) => source === index);
  const layOut = (line: Line | undefined, texts: readonly string[]): string => {
    const lead = line ? line.lead : `\n${prefix}`;
    return lead + (line && sameColumns ? withTexts(edit.body, line, texts) : `| ${texts.join(' | ')} |`);
  };

  const written = [
    layOut(
      head,
      after.columns.map((column, index) => titleText(edit, column, before, head, sources[index])),
    ),
    layOut(
      rule,
      after.columns.map((column, index) => ruleText(column, before, rule, sources[index])),
    ),
  ];
  const rowOf = new Map(before.rows.map(({ id }, index) => [id, index]));
  for (const row of after.rows) {
    const at = rowOf.get(row.id) ?? -1;
    const [was, is] = [cellsOf(before.rows[at]), cellsOf(row)];
    // Short rows stay short: a table may have many columns.
    const width = Math.max(is.width, sameColumns ? was.width : 0);
    const texts = sources
      .slice(0, width)
      .map((source, column) =>
        cellText(edit, was.blocksAt(source), is.blocksAt(column), rows[at]?.cells[source]?.text),
      );
    if (!texts.every((text) => text !== undefined)) return undefined;
    written.push(layOut(rows[at], texts));
  }
  return written.join('');
}

function linesOf({ body, token }: TableEdit): Line[] {
  const ranges = token.lines ?? [];
  const lines: Line[] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    const from = ranges[index] as number;
    const to = Math.min(ranges[index + 1] as number, token.end);
    const cells: Cell[] = [];
    eachCell(body, from, to, (start, end, outerFrom, outerTo) => {
      cells.push({ text: body.slice(start, end), from: start, to: end, outerFrom, outerTo });
    });
    lines.push({ lead: body.slice(lines.at(-1)?.to ?? from, from), from, to, cells });
  }
  return lines;
}

function cellsOf(row: Row | undefined) {
  const cells = new Map(row?.cells);
  return {
    width: (row?.cells.at(-1)?.[0] ?? -1) + 1,
    blocksAt: (column: number): readonly BlockNode[] => blocksIn(cells.get(column)),
  };
}

function cellText(
  edit: TableEdit,
  old: readonly BlockNode[],
  now: readonly BlockNode[],
  source: string | undefined,
): string | undefined {
  if (source !== undefined && canonicalText(old) === canonicalText(now)) return source;
  const write = writingOf(edit, source);
  const text = write(now);
  const ancestor = source === undefined ? undefined : write(old);
  return text === undefined ? undefined : spelled(edit, ancestor, source, text);
}

const HTML_BLOCK = /<(?:p|ul|ol)[\s>]/i;

/** Exports write a cell with several blocks as HTML, marks and links included: an edit is written the same way. */
const writingOf =
  ({ writer, keepsSpelling }: TableEdit, source = '') =>
  (blocks: readonly BlockNode[]): string | undefined => {
    const html = keepsSpelling && HTML_BLOCK.test(source) ? writer.html(blocks) : '\n';
    return html.includes('\n') ? pipeCell(writer, blocks) : html.replaceAll('|', '&#x7c;');
  };

const canonicalText = (blocks: readonly BlockNode[]): string => JSON.stringify(canonicalBlocks(blocks));

/** Titles have no marks in the document: those of the source remain while the text does. */
function titleText(edit: TableEdit, column: Column, before: Table, head: Line, source = -1): string {
  const old = before.columns[source];
  const text = head.cells[source]?.text;
  if (old && text !== undefined && old.title === column.title) return text;
  const ancestor = old && edit.writer.cell(titleNodes(old));
  return spelled(edit, ancestor, text, edit.writer.cell(titleNodes(column)));
}

function ruleText(column: Column, before: Table, rule: Line, source = -1): string {
  const old = before.columns[source];
  const wanted = ruleOf(column);
  const text = rule.cells[source]?.text;
  return text !== undefined && (old ? ruleOf(old) : '---') === wanted ? text : wanted;
}

const spelled = (
  { keepsSpelling }: TableEdit,
  ancestor: string | undefined,
  source: string | undefined,
  written: string,
): string =>
  keepsSpelling && ancestor !== undefined && source !== undefined
    ? mergeText({ ancestor, source, written })
    : written;

/** The line with other texts in its cells, and every other byte as it was. */
function withTexts(body: string, line: Line, texts: readonly string[]): string {
  let out = '';
  let at = line.from;
  for (const [index, cell] of line.cells.entries()) {
    const text = texts[index] ?? cell.text;
    if (text === cell.text) continue;
    const isEmpty = cell.text === '';
    out += body.slice(at, isEmpty ? cell.outerFrom : cell.from);
    out += isEmpty ? ` ${text} `.padEnd(cell.outerTo - cell.outerFrom) : text;
    at = isEmpty ? cell.outerTo : cell.to;
  }
  out += body.slice(at, line.to);
  const missing = texts.slice(line.cells.length);
  while (missing.at(-1) === '') missing.pop();
  if (missing.length === 0) return out;
  return `${out.trimEnd().replace(/(?<!\|)$/, ' |')} ${missing.join(' | ')} |`;
}
