import type { PageRecord } from '../../tree/index.ts';
import { Levels } from './indentation.ts';
import { readItem, type Listing, type Said } from '../outline.ts';
import { says, spellings } from './entry-text.ts';
import { parseSummary, type SummaryItem } from './parse-summary.ts';
import { isPageIn, type Writing } from '../export-context.ts';

/** A text, its entries, and the page that each of them is: undefined for one that never was a page. */
export interface Summary {
  readonly text: string;
  readonly items: readonly SummaryItem[];
  readonly ids: readonly (string | undefined)[];
}

/** SUMMARY.md while it is edited: its entries are passed one by one, some are left out, and others put between them. */
export class SummaryEdit {
  readonly #writing: Writing;
  readonly #old: Summary;
  /** Pages whose entries stay where they are. */
  readonly #stays: ReadonlySet<string>;
  readonly #listing: Listing;
  readonly #lineEnd: string;
  /** By how much one level is indented. */
  readonly #unit: number;
  /** How each indentation is written: with tabs, perhaps. */
  readonly #prefixes = new Map<number, string>();
  readonly #levels = new Levels();
  #written: string;
  /** What stands behind the last entry, and is not written yet: new entries come before it. */
  #gap = '';
  /** The entry of the old text that is to be passed next. */
  #next = 0;
  #last: { readonly isNew: boolean; readonly isApart: boolean } | undefined;
  #marker = '*';

  constructor(writing: Writing, old: Summary, stays: ReadonlySet<string>) {
    this.#writing = writing;
    this.#old = old;
    this.#stays = stays;
    const { summary } = writing.configuration;
    this.#listing = { summary, isPage: (path) => isPageIn(writing, path), used: new Set() };
    this.#lineEnd = old.text.includes('\r\n') ? '\r\n' : '\n';
    const indents = old.items.flatMap((item) => ('indent' in item && item.indent > 0 ? [item.indent] : []));
    this.#unit = indents.length === 0 ? 2 : Math.min(...indents.slice(0, 100));
    this.#written = old.text.slice(0, old.items[0]?.start);
    for (const item of old.items) {
      const prefix = /^[ \t]*/.exec(old.text.slice(item.start, item.end))?.[0] ?? '';
      if ('indent' in item && !this.#prefixes.has(item.indent)) this.#prefixes.set(item.indent, prefix);
    }
  }

  /** Whether an entry can say so deep a page at its place, if need be with another indentation. */
  canStay(own: number, page: PageRecord, depth: number): boolean {
    if (page.type === 'group') return true;
    const levels = this.#levels.copy();
    for (let index = this.#next; index < own; index++) {
      const item = this.#old.items[index];
      if (item !== undefined && this.#isNoPage(index)) levels.pass(item, undefined);
    }
    return levels.indentFor(depth, this.#unit) !== undefined;
  }

  keep(own: number, page: PageRecord, depth: number): void {
    this.#passTo(own);
    const { text, items } = this.#old;
    const item = items[own];
    if (item === undefined) return;
    const isRight = page.type === 'group' || this.#levels.depthAt(indentOf(item)) === depth;
    const indent = isRight ? indentOf(item) : this.#levels.indentFor(depth, this.#unit);
    const lineEnd = /(?:\r\n|\r|\n)?$/.exec(text.slice(item.start, item.end))?.[0] ?? '';
    this.#put(this.#spelled(page, item, indent ?? 0) + lineEnd, page.type === 'group', false);
    this.#gap = this.#gapBehind(own);
    this.#next = own + 1;
  }

  /** A new entry, or one that stood elsewhere: behind what is written. `sibling`: one that follows, and stays. */
  insert(page: PageRecord, depth: number, item?: SummaryItem, sibling?: SummaryItem): void {
    const isGroup = page.type === 'group';
    if (!isGroup && depth === 1 && this.#levels.base > 0) this.#leaveGroup();
    const wanted = sibling === undefined ? undefined : indentOf(sibling);
    const isFitting = wanted !== undefined && this.#levels.depthAt(wanted) === depth;
    const indent = isGroup ? -1 : isFitting ? wanted : (this.#levels.indentFor(depth, this.#unit) ?? 0);
    this.#passBelow(indent);
    this.#put(this.#spelled(page, item, indent) + this.#lineEnd, isGroup, true);
  }

  end(): string {
    this.#passTo(this.#old.items.length);
    const all = this.#written + this.#gap;
    const text = all.trimEnd();
    // Blank lines that stood between entries do not end the text.
    return endsBlank(this.#old.text) || !endsBlank(all) ? all : text + this.#lineEnd;
  }

  /** What is no page, and would not be read as one now. */
  #isNoPage(index: number): boolean {
    const item = this.#old.items[index];
    if (item === undefined || this.#old.ids[index] !== undefined) return false;
    return typeof readItem(item, this.#listing) !== 'object';
  }

  /** Passes entries of the old text: what is no page is written as it is, pages that went or moved are left out. */
  #passTo(end: number): void {
    for (; this.#next < end; this.#next++) {
      const { text, items } = this.#old;
      const item = items[this.#next];
      if (item === undefined) continue;
      if (this.#isNoPage(this.#next)) {
        this.#put(text.slice(item.start, item.end), item.kind === 'divider', false);
        this.#levels.pass(item, undefined);
        this.#gap = this.#gapBehind(this.#next);
      } else {
        const gap = this.#gapBehind(this.#next);
        const isBlank = gap.trim() === '' && endsBlank(this.#gap === '' ? this.#written : this.#gap);
        if (!isBlank) this.#gap += gap;
      }
    }
  }

  /** What is no page and stands below the last entry stays below it. */
  #passBelow(indent: number): void {
    const { items } = this.#old;
    for (let item = items[this.#next]; item !== undefined; item = items[this.#next]) {
      if (!('indent' in item) || item.indent <= indent || !this.#isNoPage(this.#next)) return;
      this.#passTo(this.#next + 1);
    }
  }

  /** A divider ends a group: one that comes anyway, else a new one. */
  #leaveGroup(): void {
    const { items, ids } = this.#old;
    for (let index = this.#next; index < items.length; index++) {
      if (this.#stays.has(ids[index] ?? '')) break;
      if (items[index]?.kind === 'divider') return this.#passTo(index + 1);
    }
    this.#put(`***${this.#lineEnd}`, true, true);
    for (const item of parseSummary('***')) this.#levels.pass(item, undefined);
  }

  /** The lines that are read as this page, as like those before as can be. */
  #spelled(page: PageRecord, item: SummaryItem | undefined, indent: number): string {
    const isThere = item !== undefined && (page.type === 'group' || indentOf(item) === indent);
    if (isThere && this.#accept(page, item)) return this.#linesOf(item);
    const prefix = this.#prefixes.get(indent) ?? ' '.repeat(Math.max(0, indent));
    let lines = '';
    for (const spelled of spellings(this.#writing, page, item?.text)) {
      const marked = item === undefined ? spelled.replace(/^\*/, this.#marker) : spelled;
      lines = marked.replaceAll(/^(?=.)/gm, prefix);
      const [read, more] = parseSummary(lines);
      if (read !== undefined && more === undefined && this.#accept(page, read)) break;
    }
    return lines.replaceAll('\n', this.#lineEnd);
  }

  /** As it is written, without the last line end. */
  #linesOf({ start, end }: SummaryItem): string {
    return this.#old.text.slice(start, end).replace(/(?:\r\n|\r|\n)$/, '');
  }

  /** Goes on behind an entry if it is read as this page. */
  #accept(page: PageRecord, item: SummaryItem): boolean {
    const said: Said | string | undefined = readItem(item, this.#listing);
    if (typeof said !== 'object' || !says(this.#writing, said, page)) return false;
    this.#levels.pass(item, said);
    if (said.type === 'document') this.#listing.used.add(said.path);
    this.#marker = /^[*+-]/.exec(item.text)?.[0] ?? this.#marker;
    return true;
  }

  /** Lines of an entry. What is new keeps its distance from headings and dividers. */
  #put(lines: string, isApart: boolean, isNew: boolean): void {
    const { isNew: wasNew = true, isApart: wasApart = false } = this.#last ?? {};
    const isFirst = this.#last === undefined && this.#old.items.length === 0 && this.#written.trim() !== '';
    const needsBlank = isFirst || ((isApart || wasApart) && (isNew || wasNew) && this.#last !== undefined);
    if (!isNew || (wasApart && this.#gap.trim() === '')) {
      this.#written += this.#gap;
      this.#gap = '';
    }
    if (this.#written !== '' && !/[\r\n]$/.test(this.#written)) this.#written += this.#lineEnd;
    if (needsBlank && !endsBlank(this.#written)) this.#written += this.#lineEnd;
    this.#written += lines;
    this.#last = { isNew, isApart };
  }

  #gapBehind(index: number): string {
    const { text, items } = this.#old;
    return text.slice(items[index]?.end, items[index + 1]?.start);
  }
}

const indentOf = (item: SummaryItem): number => ('indent' in item ? item.indent : 0);

/** Whether the last line is blank. */
const endsBlank = (text: string): boolean => /(?:^|\n|\r(?!\n))[ \t]*(?:\r\n|\r|\n)$/.test(text.slice(-500));
