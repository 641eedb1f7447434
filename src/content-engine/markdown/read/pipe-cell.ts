import {
  NODE,
  paragraphOf,
  type BlockNode,
  type ListBlock,
  type ListItemBlock,
  type ParagraphBlock,
} from '../../document/index.ts';
import type { BlockReader } from '../blocks/kind.ts';
import { trimEnd, trimStart } from '../scan/syntax/chars.ts';
import { htmlTagAt, valueIn, type HtmlTag } from '../scan/syntax/html-tag.ts';
import { MAX_DEPTH } from '../scan/token.ts';
import { CodeSpans } from './inlines/code-spans.ts';
import { alignOf, listData } from './html/html-to-blocks.ts';

/**
 * Blocks in a cell of a pipe table: paragraphs between `<p>` tags, lists of `<ul>` and `<ol>`, their text as Markdown.
 * Undefined: there are none, or their tags do not match, and all of it is text.
 */
export function cellBlocks(
  reader: BlockReader,
  from: number,
  to: number,
  key: string,
): BlockNode[] | undefined {
  const { src, finder, work } = reader.reading;
  const first = finder.next('<', from);
  if (first < 0 || first >= to) return undefined;
  const tags = blockTags(src, from, to);
  // A paragraph or an item, and its text.
  work.spend(tags.length * 2 * NODE);
  return tags.length === 0 ? undefined : new CellReader(reader, tags, from, to).read(key);
}

const BLOCK_TAGS = new Set(['p', 'ul', 'ol', 'li']);

/** The tags of blocks, but for those in code spans and behind a backslash. */
function blockTags(src: string, from: number, to: number): HtmlTag[] {
  const spans = new CodeSpans(src, from, to);
  const tags: HtmlTag[] = [];
  let at = from;
  while (at < to) {
    const code = src.charCodeAt(at);
    if (code === 96) {
      const end = spans.ticksEnd(at);
      const close = spans.closing(end, end - at);
      at = close < 0 ? end : close + end - at;
    } else if (code === 60) {
      const element = htmlTagAt(src, at, to);
      if (element && BLOCK_TAGS.has(element.name)) tags.push(element);
      at = element?.end ?? at + 1;
    } else at += code === 92 ? 2 : 1;
  }
  return tags;
}

class CellReader {
  readonly #reader: BlockReader;
  readonly #tags: readonly HtmlTag[];
  readonly #to: number;
  #next = 0;
  /** Where the text that was not read yet begins. */
  #at: number;

  constructor(reader: BlockReader, tags: readonly HtmlTag[], from: number, to: number) {
    this.#reader = reader;
    this.#tags = tags;
    this.#at = from;
    this.#to = to;
  }

  read(key: string): BlockNode[] | undefined {
    const blocks = this.#blocks(key, this.#reader.reading.depth + 2);
    return this.#next < this.#tags.length ? undefined : blocks;
  }

  /** Blocks up to a tag that ends them; undefined where tags do not match. */
  #blocks(key: string, depth: number): BlockNode[] | undefined {
    const blocks: BlockNode[] = [];
    let align: 'center' | 'end' | undefined;
    for (;;) {
      const tag = this.#tags[this.#next];
      const text = this.#text(tag?.start ?? this.#to, `${key}/${blocks.length}`, align);
      if (text) blocks.push(text);
      if (tag?.name === 'p') {
        align = tag.closing ? undefined : alignOf(tag);
        this.#take(tag);
      } else if (tag && !tag.closing && tag.name !== 'li') {
        const list = this.#list(tag, `${key}/${blocks.length}`, depth);
        if (!list) return undefined;
        blocks.push(list);
      } else return blocks;
    }
  }

  #take(tag: HtmlTag): void {
    this.#next++;
    this.#at = tag.end;
  }

  /** The text up to `end` as a paragraph, unless there is none. A break at its edge parts it from a block only. */
  #text(end: number, key: string, align: 'center' | 'end' | undefined): ParagraphBlock | undefined {
    const { src } = this.#reader.reading;
    const from = afterBreaks(src, this.#at, end);
    const to = beforeBreaks(src, from, end);
    this.#at = end;
    if (from >= to) return undefined;
    const block = paragraphOf(key, this.#reader.inlines({ text: src, from, to, map: null }, key, true));
    return align === undefined ? block : { ...block, data: { align } };
  }

  #list(open: HtmlTag, key: string, depth: number): ListBlock | undefined {
    if (depth + 2 > MAX_DEPTH) return undefined;
    this.#take(open);
    const items: ListItemBlock[] = [];
    for (;;) {
      const tag = this.#tags[this.#next];
      if (!tag || !this.#isBlankTo(tag.start)) return undefined;
      this.#take(tag);
      if (tag.closing) {
        if (tag.name !== open.name) return undefined;
        if (open.name !== 'ol') return { object: 'block', type: 'list-unordered', key, nodes: items };
        const data = listData(valueIn(open, 'start'));
        return { object: 'block', type: 'list-ordered', key, data, nodes: items };
      }
      const item = tag.name === 'li' && this.#item(`${key}/${items.length}`, depth + 2);
      if (!item) return undefined;
      items.push(item);
    }
  }

  #item(key: string, depth: number): ListItemBlock | undefined {
    const nodes = this.#blocks(key, depth);
    if (!nodes) return undefined;
    const end = this.#tags[this.#next];
    if (end?.closing && end.name === 'li') this.#take(end);
    if (nodes.length === 0) nodes.push(paragraphOf(`${key}/0`));
    return { object: 'block', type: 'list-item', key, nodes };
  }

  #isBlankTo(end: number): boolean {
    return trimStart(this.#reader.reading.src, this.#at, end) >= end;
  }
}

const BREAK = /<br[ \t]*\/?>/iy;
const LONGEST_BREAK = 8;

function afterBreaks(src: string, from: number, to: number): number {
  let at = from;
  for (;;) {
    at = trimStart(src, at, to);
    BREAK.lastIndex = at;
    const found = BREAK.exec(src)?.[0];
    if (found === undefined || at + found.length > to) return at;
    at += found.length;
  }
}

function beforeBreaks(src: string, from: number, to: number): number {
  let at = to;
  for (;;) {
    at = trimEnd(src, from, at);
    const found = /<br[ \t]*\/?>$/i.exec(src.slice(Math.max(from, at - LONGEST_BREAK), at))?.[0];
    if (found === undefined) return at;
    at -= found.length;
  }
}
