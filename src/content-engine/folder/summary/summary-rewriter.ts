import type { PageRecord } from '../../tree/index.ts';
import { Indentation } from './indentation.ts';
import { listedFiles, readItem, type EntryContext } from '../read/outline.ts';
import { entryTexts, matchesPage } from './entry-text.ts';
import { parseSummary, type SummaryItem } from './parse-summary.ts';
import { isPageIn, type ExportContext } from '../write/export-context.ts';

/** SUMMARY.md with its entries, and the page of each entry: undefined for an entry that never was a page. */
export interface Summary {
  readonly text: string;
  readonly items: readonly SummaryItem[];
  readonly ids: readonly (string | undefined)[];
}

/** Rewrites SUMMARY.md in one pass over its entries: retains, drops and inserts entries. */
export class SummaryRewriter {
  readonly #context: ExportContext;
  readonly #old: Summary;
  /** Pages whose entries stay where they are. */
  readonly #unmoved: ReadonlySet<string>;
  readonly #entryContext: EntryContext;
  readonly #lineEnd: string;
  /** Indentation of one level. */
  readonly #unit: number;
  /** The text of each indentation, which may have tabs. */
  readonly #prefixes = new Map<number, string>();
  readonly #indentation = new Indentation();
  readonly #written: string[] = [];
  /** The end of what was written. Reading it from the whole text would copy that for every entry. */
  #tail = '';
  /** The text after the last entry, not yet written: new entries are inserted before it. */
  #gap = '';
  /** The next entry of the old text. */
  #next = 0;
  #last: { readonly isNew: boolean; readonly isSeparated: boolean } | undefined;
  #marker = '*';

  constructor(context: ExportContext, old: Summary, unmoved: ReadonlySet<string>) {
    this.#context = context;
    this.#old = old;
    this.#unmoved = unmoved;
    const { summary } = context.configuration;
    const isPage = (path: string): boolean => isPageIn(context, path);
    const listed = listedFiles(old.items, { summary, isPage });
    this.#entryContext = { summary, isPage, used: new Set(), listed };
    this.#lineEnd = old.text.includes('\r\n') ? '\r\n' : '\n';
    const indents = old.items.flatMap((item) => ('indent' in item && item.indent > 0 ? [item.indent] : []));
    this.#unit = indents.length === 0 ? 2 : Math.min(...indents.slice(0, 100));
    this.#append(old.text.slice(0, old.items[0]?.start));
    for (const item of old.items) {
      const prefix = /^[ \t]*/.exec(old.text.slice(item.start, item.end))?.[0] ?? '';
      if ('indent' in item && !this.#prefixes.has(item.indent)) this.#prefixes.set(item.indent, prefix);
    }
  }

  /** Whether an entry in its place can have this depth, possibly with another indentation. */
  canRemain(own: number, page: PageRecord, depth: number): boolean {
    if (page.type === 'group') return true;
    const indentation = this.#indentation.copy();
    for (let index = this.#next; index < own; index++) {
      const item = this.#old.items[index];
      if (item !== undefined && this.#isNoPage(index)) indentation.advance(item, undefined);
    }
    return indentation.indentFor(depth, this.#unit) !== undefined;
  }

  retain(own: number, page: PageRecord, depth: number): void {
    this.#advanceTo(own);
    const { text, items } = this.#old;
    const item = items[own];
    if (item === undefined) return;
    const hasDepth = page.type === 'group' || this.#indentation.depthAt(indentOf(item)) === depth;
    const indent = hasDepth ? indentOf(item) : this.#indentation.indentFor(depth, this.#unit);
    const lineEnd = /(?:\r\n|\r|\n)?$/.exec(text.slice(item.start, item.end))?.[0] ?? '';
    this.#write(this.#linesFor(page, item, indent ?? 0) + lineEnd, page.type === 'group', false);
    this.#gap = this.#gapAfter(own);
    this.#next = own + 1;
  }

  /** Inserts a new or moved entry. `sibling`: a following entry that stays. */
  insert(page: PageRecord, depth: number, item?: SummaryItem, sibling?: SummaryItem): void {
    const isGroup = page.type === 'group';
    if (!isGroup && depth === 1 && this.#indentation.base > 0) this.#leaveGroup();
    const wanted = sibling === undefined ? undefined : indentOf(sibling);
    const isFitting = wanted !== undefined && this.#indentation.depthAt(wanted) === depth;
    const indent = isGroup ? -1 : isFitting ? wanted : (this.#indentation.indentFor(depth, this.#unit) ?? 0);
    this.#copyNested(indent);
    this.#write(this.#linesFor(page, item, indent) + this.#lineEnd, isGroup, true);
  }

  end(): string {
    this.#advanceTo(this.#old.items.length);
    const all = this.#written.join('') + this.#gap;
    const text = all.trimEnd();
    // Blank lines between entries must not become trailing blank lines.
    return endsBlank(this.#old.text) || !endsBlank(all) ? all : text + this.#lineEnd;
  }

  /** Whether an entry never was a page, and is not read as one now. */
  #isNoPage(index: number): boolean {
    const item = this.#old.items[index];
    if (item === undefined || this.#old.ids[index] !== undefined) return false;
    return typeof readItem(item, this.#entryContext) !== 'object';
  }

  /** Advances through the old text: copies entries that are no page, and drops deleted and moved pages. */
  #advanceTo(end: number): void {
    for (; this.#next < end; this.#next++) {
      const { text, items } = this.#old;
      const item = items[this.#next];
      if (item === undefined) continue;
      if (this.#isNoPage(this.#next)) {
        this.#write(text.slice(item.start, item.end), item.kind === 'divider', false);
        this.#indentation.advance(item, undefined);
        this.#gap = this.#gapAfter(this.#next);
      } else {
        const gap = this.#gapAfter(this.#next);
        const isBlank = gap.trim() === '' && endsBlank(this.#gap === '' ? this.#tail : this.#gap);
        if (!isBlank) this.#gap += gap;
      }
    }
  }

  /** Copies entries that are no page and belong below the last entry. */
  #copyNested(indent: number): void {
    const { items } = this.#old;
    for (let item = items[this.#next]; item !== undefined; item = items[this.#next]) {
      if (!('indent' in item) || item.indent <= indent || !this.#isNoPage(this.#next)) return;
      this.#advanceTo(this.#next + 1);
    }
  }

  /** Ends a group with the next divider of the old text, else with a new one. */
  #leaveGroup(): void {
    const { items, ids } = this.#old;
    for (let index = this.#next; index < items.length; index++) {
      if (this.#unmoved.has(ids[index] ?? '')) break;
      if (items[index]?.kind === 'divider') return this.#advanceTo(index + 1);
    }
    this.#write(`***${this.#lineEnd}`, true, true);
    for (const item of parseSummary('***')) this.#indentation.advance(item, undefined);
  }

  /** The lines that are read as this page, with the fewest changes. */
  #linesFor(page: PageRecord, item: SummaryItem | undefined, indent: number): string {
    const isUnmoved = item !== undefined && (page.type === 'group' || indentOf(item) === indent);
    if (isUnmoved && this.#accept(page, item)) return this.#linesOf(item);
    const prefix = this.#prefixes.get(indent) ?? ' '.repeat(Math.max(0, indent));
    let lines = '';
    for (const spelled of entryTexts(this.#context, page, item?.text)) {
      const marked = item === undefined ? spelled.replace(/^\*/, this.#marker) : spelled;
      lines = marked.replaceAll(/^(?=.)/gm, prefix);
      const [read, more] = parseSummary(lines);
      if (read !== undefined && more === undefined && this.#accept(page, read)) break;
    }
    return lines.replaceAll('\n', this.#lineEnd);
  }

  /** The lines of an entry without the last line end. */
  #linesOf({ start, end }: SummaryItem): string {
    return this.#old.text.slice(start, end).replace(/(?:\r\n|\r|\n)$/, '');
  }

  /** Advances past an entry if it is read as this page. */
  #accept(page: PageRecord, item: SummaryItem): boolean {
    const listed = readItem(item, this.#entryContext);
    if (typeof listed !== 'object' || !matchesPage(this.#context, listed, page)) return false;
    this.#indentation.advance(item, listed);
    if (listed.type === 'document') this.#entryContext.used.add(listed.path);
    this.#marker = /^[*+-]/.exec(item.text)?.[0] ?? this.#marker;
    return true;
  }

  /** Writes the lines of an entry. A blank line separates new entries from headings and dividers. */
  #write(lines: string, isSeparated: boolean, isNew: boolean): void {
    const { isNew: wasNew = true, isSeparated: wasSeparated = false } = this.#last ?? {};
    const isFirst = this.#last === undefined && this.#old.items.length === 0 && this.#old.text.trim() !== '';
    const needsBlank =
      isFirst || ((isSeparated || wasSeparated) && (isNew || wasNew) && this.#last !== undefined);
    if (!isNew || (wasSeparated && this.#gap.trim() === '')) {
      this.#append(this.#gap);
      this.#gap = '';
    }
    if (this.#tail !== '' && !/[\r\n]$/.test(this.#tail)) this.#append(this.#lineEnd);
    if (needsBlank && !endsBlank(this.#tail)) this.#append(this.#lineEnd);
    this.#append(lines);
    this.#last = { isNew, isSeparated };
  }

  #append(text: string): void {
    this.#written.push(text);
    this.#tail = (this.#tail + text).slice(-TAIL);
  }

  #gapAfter(index: number): string {
    const { text, items } = this.#old;
    return text.slice(items[index]?.end, items[index + 1]?.start);
  }
}

/** Characters in which the last two lines end. */
const TAIL = 500;

const indentOf = (item: SummaryItem): number => ('indent' in item ? item.indent : 0);

/** Whether the last line is blank. */
const endsBlank = (text: string): boolean => /(?:^|\n|\r(?!\n))[ \t]*(?:\r\n|\r|\n)$/.test(text.slice(-TAIL));
