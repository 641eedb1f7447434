/** Larger tables make pages that are too long to read or edit. */
const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;

/** CSV as Markdown: a table. */
export function csvTable(text: string): string {
  const [header = [], ...rows] = readCsv(text, MAX_ROWS + 2);
  const columns = Math.min(MAX_COLUMNS, Math.max(1, header.length));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cellOf(cells[index] ?? '')).join(' | ')} |`;
  const shown = rows.slice(0, MAX_ROWS);
  const notes = [
    ...(rows.length > MAX_ROWS ? [`Only the first ${MAX_ROWS} rows were imported.`] : []),
    ...(header.length > MAX_COLUMNS ? [`Only the first ${MAX_COLUMNS} columns were imported.`] : []),
  ];
  const table = [line(header), `|${' --- |'.repeat(columns)}`, ...shown.map(line)];
  return [...table, ...notes.flatMap((note) => ['', note]), ''].join('\n');
}

/** The text of a cell is no Markdown. */
const cellOf = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]<>#|~$&!]/g, '\\$&')
    .replace(/(?<!\s)\s*\r?\n\s*/g, '<br>')
    .trim();

/** Reads at most `maxRows` rows of CSV (RFC 4180). */
function readCsv(text: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < maxRows) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
    row.push(field.value);
    at = field.end;
    if (text[at] === ',') {
      at++;
      if (at === text.length) row.push('');
      else continue;
    }
    rows.push(row);
    row = [];
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
  }
  return rows;
}

interface Field {
  readonly value: string;
  readonly end: number;
}

function plainField(text: string, start: number): Field {
  const length = text.slice(start, start + MAX_FIELD).search(/[,\r\n]/);
  const end = length < 0 ? Math.min(text.length, start + MAX_FIELD) : start + length;
  return { value: text.slice(start, end), end };
}

/** A field is searched in a window, so that its cost is bounded. */
const MAX_FIELD = 100_000;

/** Text between the closing quote and the next comma is ignored. */
function quotedField(text: string, start: number): Field {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: plainField(text, quote + 1).end };
    value += '"';
    at = quote + 2;
  }
}
