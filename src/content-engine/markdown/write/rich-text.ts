import { MARK_ELEMENTS, type InlineContent, type LinkInline, type Mark } from '../../document/index.ts';
import { endsWord, flankAfter, flankBefore, mayFlank, type FlankClass } from '../scan/syntax/chars.ts';
import { inlineText, type InlineWriting } from './inline-nodes.ts';
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
  const out = new Output(writing, layout, undefined);
  out.runs(runs, true);
  return finished(out.text, runs, layout);
}

/** An image or a formula alone would be read as a block. */
function finished(text: string, runs: readonly Run[], layout: Layout): string {
  if (layout === 'line') return text.replace(/(?<!\\)#$/, '\\#');
  const [only] = runs;
  if (layout !== 'lines' || runs.length > 1 || only?.kind !== 'inline') return text;
  const { node } = only;
  const isBlock = node.type === 'inline-math' || (node.type === 'inline-image' && !node.data.size);
  return isBlock ? `${text}<!---->` : text;
}

const DELIMITER: Readonly<Partial<Record<Mark['type'], string>>> = {
  bold: '**',
  italic: '_',
  strikethrough: '~~',
};

class Output {
  readonly #parts: string[] = [];
  readonly #writing: InlineWriting;
  readonly #layout: Layout;
  /** Inside a mark or a link of this one. */
  readonly #outer: Output | undefined;
  #inLink: boolean;
  /** Nothing but a line break came before. */
  #atLineStart: boolean;

  constructor(writing: InlineWriting, layout: Layout, outer: Output | undefined) {
    this.#writing = writing;
    this.#layout = layout;
    this.#outer = outer;
    this.#inLink = outer ? outer.#inLink : false;
    this.#atLineStart = !outer;
  }

  get text(): string {
    return this.#parts.join('');
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
        this.#mark(run.mark, run.runs, next);
    }
  }

  #push(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
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
    const plain =
      this.#layout !== 'lines' || atEnd || this.#inLink || (!this.#outer && this.#parts.length === 0);
    this.#parts.push(plain ? '<br>' : '\\\n');
    this.#atLineStart = true;
  }

  #code(text: string): void {
    if (/[\n\r]/.test(text)) {
      this.#push('<code>');
      this.#plain(text, true);
      this.#push('</code>');
      return;
    }
    const runs = new Set([...text.matchAll(/`+/g)].map(([run]) => run.length));
    let length = 1;
    while (runs.has(length)) length++;
    const ticks = '`'.repeat(length);
    const pad = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ' ' : '';
    const content = this.#layout === 'cell' ? text.replaceAll('|', '\\|') : text;
    // Two code spans that touch would be read as one run of backticks.
    const apart = /(?<!\\)`$/.test(this.#parts.at(-1)?.slice(-2) ?? '') ? '<!---->' : '';
    this.#push(`${apart}${ticks}${pad}${content}${pad}${ticks}`);
  }

  #link(node: LinkInline, runs: readonly Run[]): void {
    const inner = new Output(this.#writing, this.#layout, this);
    inner.#inLink = true;
    inner.runs(runs, true);
    const target = destinationText(this.#writing.href(node.data.ref, 'link'));
    this.#push(`[${inner.text}](${this.#layout === 'cell' ? target.replaceAll('|', '&#x7c;') : target})`);
  }

  #mark(mark: Mark, runs: readonly Run[], next: Run | undefined): void {
    const inner = new Output(this.#writing, this.#layout, this);
    inner.runs(runs, true);
    const { text } = inner;
    const delimiter = DELIMITER[mark.type];
    if (delimiter && mayDelimit(delimiter, this.#before(), text, classOf(next))) {
      this.#push(`${delimiter}${text}${delimiter}`);
      return;
    }
    const [open, close] = tagsOf(mark);
    this.#push(`${open}${text}${close}`);
  }

  /** The class of the last character written; inside a mark, the mark itself comes first. */
  #before(): FlankClass {
    const last = this.#parts.at(-1);
    if (last === undefined) return this.#outer ? 2 : 1;
    return flankBefore(last, last.length, 0);
  }
}

/** The class of the first character that will follow; whatever is not text begins with punctuation. */
function classOf(next: Run | undefined): FlankClass {
  if (!next) return 1;
  if (next.kind !== 'text' || next.code) return 2;
  return next.text.startsWith('\n') ? 1 : flankAfter(next.text, 0, next.text.length);
}

/** Whether the delimiters would be read as beginning and end of emphasis. */
function mayDelimit(delimiter: string, before: FlankClass, inner: string, after: FlankClass): boolean {
  if (inner === '' || inner.includes('\n') || inner.includes('<br>')) return false;
  const first = flankAfter(inner, 0, inner.length);
  const last = flankBefore(inner, inner.length, 0);
  if (!mayFlank(before, first) || !mayFlank(after, last)) return false;
  return delimiter !== '_' || (endsWord(before, first) && endsWord(after, last));
}

export function tagsOf(mark: Mark): [string, string] {
  if (mark.type !== 'color') {
    const name = MARK_ELEMENTS[mark.type];
    return [`<${name}>`, `</${name}>`];
  }
  const { text, background } = mark.data;
  const styles = [
    text === 'default' ? '' : `color:${text};`,
    background === 'default' ? '' : `background-color:${background};`,
  ];
  return [`<mark style="${styles.join('')}">`, '</mark>'];
}
