import { NotUnderstood, type Parser } from './parser.ts';
import { LINES, MATRICES } from './symbols.ts';
import { LINE_BREAK } from './tokens.ts';

const CASES: ReadonlyMap<string, string> = new Map([
  ['cases', ''],
  ['dcases', ''],
  ['rcases', 'reverse: #true, '],
]);

/** From behind `\begin` up to and including its `\end{…}`. */
export function environment(parser: Parser): string {
  const isWholeFormula = parser.isFirst();
  const name = parser.name();
  const columns = /^(?:array$|alignat|alignedat$)/.test(name) ? parser.name() : '';
  const content = LINES.has(name) ? linesOf(parser, isWholeFormula) : contentOf(parser, name, columns);
  if (!parser.take('\\end') || parser.name() !== name) throw new NotUnderstood();
  return content;
}

/** Lines at the top level can be broken over pages. Inside something else they are one column, centered on the line. */
function linesOf(parser: Parser, isWholeFormula: boolean): string {
  if (isWholeFormula) return parser.until(() => parser.peek() === '\\end', 'lines');
  const { rows } = readRows(parser);
  return `mat(delim: #none, ${rows.map((row) => row.join(' & ')).join(' ; ')})`;
}

function contentOf(parser: Parser, name: string, columns: string): string {
  const options = CASES.get(name);
  if (options !== undefined) {
    const { rows } = readRows(parser);
    return `cases(${options}${rows.map((row) => row.join(' & quad ')).join(', ')})`;
  }
  const delimiter = MATRICES.get(name);
  if (delimiter === undefined) throw new NotUnderstood();
  const { rows, rules } = readRows(parser);
  const lines = rulesOf(rows, rules, columns);
  // A semicolon directly behind a space of Typst (`#h(…);`) would belong to it.
  return `mat(delim: ${delimiter}, ${lines}${rows.map((row) => row.join(', ')).join(' ; ')})`;
}

interface Rows {
  readonly rows: readonly (readonly string[])[];
  /** Numbers of rows above which `\hline` draws a rule. */
  readonly rules: readonly number[];
}

function readRows(parser: Parser): Rows {
  const rows: string[][] = [];
  const rules: number[] = [];
  const isEndOfCell = (): boolean => ['&', LINE_BREAK, '\\end'].includes(parser.peek() ?? '');
  for (;;) {
    while (parser.take('\\hline')) rules.push(rows.length);
    if (parser.peek() === '\\end' && rows.length > 0) break;
    const row: string[] = [];
    do {
      const cell = parser.until(isEndOfCell, 'group');
      row.push(cell === '' ? '""' : cell);
    } while (parser.take('&'));
    rows.push(row);
    if (!parser.take(LINE_BREAK)) break;
  }
  return { rows, rules };
}

/** Rules inside the matrix. Typst refuses those at its edges. */
function rulesOf(rows: Rows['rows'], above: readonly number[], columns: string): string {
  const width = Math.max(...rows.map((row) => row.length));
  const vertical: number[] = [];
  let column = 0;
  for (const char of columns) {
    if (/[lcr]/.test(char)) column += 1;
    else if (char === '|') vertical.push(column);
  }
  const inside = (list: readonly number[], end: number): string =>
    [...new Set(list)].flatMap((at) => (at > 0 && at < end ? [`${at},`] : [])).join(' ');
  const [hline, vline] = [inside(above, rows.length), inside(vertical, width)];
  return hline === '' && vline === '' ? '' : `augment: #(hline: (${hline}), vline: (${vline})), `;
}
