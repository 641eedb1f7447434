import type { InlineContent, InlineNode, Mark } from '../document.ts';
import { flankClass } from '../scan/chars.ts';
import { inlineText, type InlineWriting } from './inlines.ts';
import { destinationText, escapeText, type Place } from './escape.ts';
import { runsOf, type Run } from './runs.ts';

/** How text may be laid out: over several lines, on one line, or in a cell of a pipe table. */
export type Layout = 'lines' | 'line' | 'cell';

/** Text, marks and inlines as Markdown. */
export function writeInlines(
  nodes: readonly InlineContent[],
  writing: InlineWriting,
  layout: Layout,
): string {
  const runs = runsOf(nodes);
  const out = new Output(writing, layout);
  out.runs(runs, true);
  return out.finish(runs);
}

const HTML_MARK: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  superscript: 'sup',
  subscript: 'sub',
  keyboard: 'kbd',
  code: 'code',
};

const DELIMITER: Readonly<Record<string, string>> = { bold: '**', italic: '_', strikethrough: '~~' };

class Output {
  #text = '';
  readonly #writing: InlineWriting;
  readonly #layout: Layout;
  #inLink = false;
  /** Nothing but a line break came before. */
  #atLineStart = true;

  constructor(writing: InlineWriting, layout: Layout) {
    this.#writing = writing;
    this.#layout = layout;
  }

  /** An image or a formula alone would be read as a block. */
  finish(runs: readonly Run[]): string {
    const [only] = runs;
    const alone = runs.length === 1 && only?.kind === 'inline';
    const blockish =
      alone &&
      (only.node.type === 'inline-math' || (only.node.type === 'inline-image' && !only.node.data?.['size']));
    if (blockish && this.#layout === 'lines') return `${this.#text}<!---->`;
    return this.#layout === 'line' ? this.#text.replace(/#$/, '\\#') : this.#text;
  }

  runs(runs: readonly Run[], last: boolean): void {
    runs.forEach((run, index) => this.#run(run, runs[index + 1], last && index === runs.length - 1));
  }

  #run(run: Run, next: Run | undefined, last: boolean): void {
    switch (run.kind) {
      case 'text':
        if (run.code) this.#code(run.text);
        else this.#plain(run.text, last);
        return;
      case 'inline':
        this.#push(inlineText(run.node, this.#writing, this.#layout));
        return;
      case 'link':
        this.#link(run.node, run.runs);
        return;
      default:
        this.#mark(run.mark, run.runs, next, last);
    }
  }

  #push(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#atLineStart = false;
  }

  #plain(text: string, last: boolean): void {
    const lines = text.split('\n');
    lines.forEach((line, index) => {
      const end = index < lines.length - 1;
      const place: Place = {
        lineStart: this.#atLineStart,
        lineEnd: end || last,
        inLink: this.#inLink,
        inCell: this.#layout === 'cell',
      };
      this.#push(escapeText(line, place));
      if (end) this.#break(last && index === lines.length - 2 && lines.at(-1) === '');
    });
  }

  /** A backslash breaks the line only where text follows it and came before it. */
  #break(atEnd: boolean): void {
    if (this.#layout !== 'lines' || atEnd || this.#text === '' || this.#inLink) this.#text += '<br>';
    else this.#text += '\\\n';
    this.#atLineStart = true;
  }

  #code(text: string): void {
    if (/[\n\r]/.test(text)) {
      this.#push('<code>');
      this.#plain(text, true);
      this.#push('</code>');
      return;
    }
    let ticks = '`';
    const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));
    while (runs.has(ticks.length)) ticks += '`';
    const pad = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ' ' : '';
    const content = this.#layout === 'cell' ? text.replaceAll('|', '\\|') : text;
    // Two code spans that touch would be read as one run of backticks.
    const apart = this.#text.endsWith('`') && !this.#text.endsWith('\\`') ? '<!---->' : '';
    this.#push(`${apart}${ticks}${pad}${content}${pad}${ticks}`);
  }

  #link(node: InlineNode, runs: readonly Run[]): void {
    const outer = this.#inLink;
    this.#push('[');
    this.#inLink = true;
    this.runs(runs, true);
    this.#inLink = outer;
    this.#push(`](${this.#cell(destinationText(this.#writing.href(node.data?.['ref'], 'link')))})`);
  }

  #cell(text: string): string {
    return this.#layout === 'cell' ? text.replaceAll('|', '&#x7c;') : text;
  }

  #mark(mark: Mark, runs: readonly Run[], next: Run | undefined, last: boolean): void {
    const start = this.#text.length;
    const before = start === 0 ? 1 : flankClass(this.#text, start - 1);
    const delimiter = DELIMITER[mark.type];
    const wasLineStart = this.#atLineStart;
    if (delimiter) {
      this.#push(delimiter);
      this.runs(runs, true);
      const inner = this.#text.slice(start + delimiter.length);
      if (mayDelimit(delimiter, before, inner, classOf(next))) {
        this.#push(delimiter);
        return;
      }
      this.#text = this.#text.slice(0, start);
      this.#atLineStart = wasLineStart;
    }
    const [open, close] = tagsOf(mark);
    this.#push(open);
    this.runs(runs, last);
    this.#push(close);
  }
}

/** The class of the first character that will follow; whatever is not text begins with punctuation. */
function classOf(next: Run | undefined): 0 | 1 | 2 {
  if (!next) return 1;
  if (next.kind !== 'text' || next.code) return 2;
  return next.text.startsWith('\n') ? 1 : flankClass(next.text, 0);
}

/** Whether the delimiters would be read as beginning and end of emphasis. */
function mayDelimit(delimiter: string, before: 0 | 1 | 2, inner: string, after: 0 | 1 | 2): boolean {
  if (inner === '' || inner.includes('\n') || inner.includes('<br>')) return false;
  const first = flankClass(inner, 0);
  const code = inner.charCodeAt(inner.length - 1);
  const last = flankClass(
    inner,
    inner.length - (code >= 0xdc00 && code <= 0xdfff && inner.length > 1 ? 2 : 1),
  );
  if (first === 1 || last === 1) return false;
  if (first === 2 && before === 0) return false;
  if (last === 2 && after === 0) return false;
  if (delimiter === '_') return before !== 0 && after !== 0;
  return !/\*/.test(inner) || delimiter !== '**' || !/(^|[^\\])\*/.test(inner);
}

function tagsOf(mark: Mark): [string, string] {
  if (mark.type !== 'color') {
    const name = HTML_MARK[mark.type] ?? 'span';
    return [`<${name}>`, `</${name}>`];
  }
  const { text = 'default', background = 'default' } = mark.data ?? {};
  const styles = [
    text === 'default' ? '' : `color:${text};`,
    background === 'default' ? '' : `background-color:${background};`,
  ];
  return [`<mark style="${styles.join('')}">`, '</mark>'];
}

export { tagsOf, HTML_MARK };
