import type { BlockNode } from '../../document/index.ts';
import { joins, SEAM } from '../write/writer.ts';

/** The blank lines at the end of a text, without the end of the line before them. */
function blankEndOf(text: string): string {
  const filled = /[^ \t>\n][ \t>]*\n?/g;
  let end = text.length;
  while (end > 0 && ' \t>\n'.includes(text[end - 1] as string)) end--;
  filled.lastIndex = Math.max(0, end - 1);
  return filled.test(text) ? text.slice(filled.lastIndex) : '';
}

const ENDS_BLANK = /(?:^|\n)[ \t>]*\n$/;

/** The surroundings of blocks. */
export interface Place {
  /** The beginning of every line. */
  readonly prefix: string;
  /** True in a list that needs no blank line. */
  readonly tight: boolean;
  /** The first block begins a line, as it does in admonitions. */
  readonly ownLine?: boolean;
}

/** Written text with the prefix before all lines but the first. */
export const indented = (written: string, prefix: string): string =>
  written
    .split('\n')
    .map((line, index) => (index === 0 ? line : line === '' ? prefix.trimEnd() : prefix + line))
    .join('\n');

/** Collects pieces of source and written blocks, and separates written blocks from their neighbours. */
export class Output {
  readonly #pieces: string[] = [];
  readonly #place: Place;
  readonly #spaced: boolean;
  /** Blank lines after a list, which end it: new items go before them. */
  #blankEnd = '';
  #afterWritten = false;
  /** The last written block still needs a blank line after it. */
  #pending = false;
  #before: BlockNode | undefined;
  #isSeam = false;

  constructor(place: Place, spaced: boolean) {
    this.#place = place;
    this.#spaced = spaced;
  }

  get text(): string {
    return this.#pieces.join('') + this.#blankEnd;
  }

  /**
   * Announces the next blocks (none: a comment). Lists that become adjacent by the edit (`isNew`) get a separator, without
   * which they would be read as one.
   */
  meet(nodes: readonly BlockNode[], isNew: boolean): void {
    const [first] = nodes;
    if (first && this.#before && (isNew || this.#isSeam) && joins(this.#before, first)) this.insert(SEAM);
    this.#before = nodes.at(-1);
    this.#isSeam = isNew;
  }

  /** A block was deleted here: the next block was not adjacent to the last one. */
  forget(): void {
    this.#isSeam = true;
  }

  source(bytes: string): void {
    if (bytes !== '') this.#endList();
    if (this.#afterWritten) this.#separate(this.#spaced);
    this.#push(bytes);
    this.#afterWritten = false;
  }

  insert(written: string): void {
    if (written === '') return;
    const last = this.#pieces.at(-1) ?? '';
    const blank = this.#place.tight ? blankEndOf(last) : '';
    if (blank !== '') this.#pieces[this.#pieces.length - 1] = last.slice(0, last.length - blank.length);
    this.#blankEnd = blank + this.#blankEnd;
    this.#separate(true);
    const { prefix, tight, ownLine } = this.#place;
    const first = this.#pieces.length === 0 && !tight && !ownLine;
    this.#push(`${first ? '' : prefix}${indented(written, prefix)}\n`);
    this.#afterWritten = true;
    this.#pending = true;
  }

  /** `written` has the prefix in its lines already. */
  replace(lead: string, written: string, trail: string): void {
    if (written !== '') this.#endList();
    if (this.#afterWritten) this.#separate(this.#spaced || this.#pending);
    if (written === '') return;
    this.#push(lead + written + trail);
    this.#afterWritten = true;
    this.#pending = false;
  }

  #endList(): void {
    this.#push(this.#blankEnd);
    this.#blankEnd = '';
  }

  #push(text: string): void {
    if (text !== '') this.#pieces.push(text);
  }

  /** Ends the line, and leaves one blank unless the frame is a list. */
  #separate(blank: boolean): void {
    if (this.#pieces.length === 0) return;
    if (!this.#pieces.at(-1)?.endsWith('\n')) this.#push('\n');
    const wanted = (blank || this.#pending) && !this.#place.tight;
    this.#pending = false;
    const end = this.#pieces.slice(-2).join('');
    if (wanted && !ENDS_BLANK.test(end)) this.#push(`${this.#place.prefix.trimEnd()}\n`);
  }
}
