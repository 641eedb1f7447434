import { imagesOf, readParagraph } from '../blocks/text.ts';
import { codeLines } from '../blocks/code.ts';
import type { BlockReader, ReadBlock } from '../blocks/kind.ts';
import {
  combine,
  hashRange,
  plainTextNode,
  type BlockNode,
  type Hash,
  type InlineContent,
} from '../../document/index.ts';
import { READERS, TAGS } from '../blocks/index.ts';
import { isLineEnd } from '../scan/syntax/chars.ts';
import { nestingOf } from '../scan/syntax/template-tag.ts';
import { MAX_DEPTH, type Token } from '../scan/token.ts';
import { HtmlText } from './html/html-text.ts';
import { parseHtml } from './html/html-tree.ts';
import { readInlines } from './inlines/rich-text.ts';
import type { InlineBuilder } from './inlines/inline-builder.ts';
import type { Reading } from './reading.ts';
import type { Span } from './span.ts';

/** The paragraph, the annotation and its fragment. */
const ABOVE_NOTE = 3;

/** Converts the token tree of the scanner into blocks of the document. */
export function newBlockReader(reading: Reading): BlockReader {
  const reader = new Reader(reading);
  reading.annotate = (builder, label, text) => reader.annotate(builder, label, text);
  return reader;
}

/** The characters in which the name of an element is looked for, including the text before it. */
const MAX_NAME = 80;

class Reader implements BlockReader {
  readonly reading: Reading;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  blocks(tokens: readonly Token[], images: boolean): BlockNode[] {
    const blocks: BlockNode[] = [];
    for (const token of tokens) {
      token.nodes = this.#read(token, images);
      for (const node of token.nodes) blocks.push(node);
    }
    return blocks;
  }

  inlines(span: Span, key: string, pipe = false): InlineContent[] {
    return readInlines(this.reading, span, key, pipe);
  }

  htmlText(span: Span, key: string): InlineContent[] {
    return new HtmlText(this.reading, span, key).add(parseHtml(span, this.reading.work)).finish();
  }

  key(token: Token): string {
    return this.reading.keys.next(hashOf(this.reading.src, token));
  }

  /** Raw source as a marked block of code: every client can show it, and the writer restores the bytes. */
  verbatim(start: number, end: number): BlockNode {
    return this.#verbatimLines([start, end]);
  }

  #verbatimLines(ranges: readonly number[]): BlockNode {
    const { src } = this.reading;
    const lines: number[] = [];
    for (let index = 0; index < ranges.length; index += 2)
      addLines(src, ranges[index] as number, ranges[index + 1] as number, lines);
    const key = this.reading.keys.next(hashRange(src, lines[0] ?? 0, lines.at(-1) ?? 0, 30));
    const syntax = src[lines[0] ?? 0] === '<' ? 'html' : 'markdown';
    return {
      object: 'block',
      type: 'code',
      key,
      data: { syntax, verbatim: true },
      nodes: codeLines(this.reading, lines, key),
    };
  }

  #read(token: Token, images: boolean): BlockNode[] {
    this.reading.depth = token.depth + this.reading.shift;
    switch (token.kind) {
      case 'paragraph': {
        const block = readParagraph(this, token, this.key(token));
        return [(block.type === 'paragraph' && imagesOf(this, token, block, images)) || block];
      }
      case 'tag':
        return this.#tag(token, images);
      case 'details':
        if (token.closeStart < 0) return this.#unclosed(token, token.to, images);
        return this.#use(READERS.details, token);
      case 'directive':
        if (token.closeStart < 0) return this.#unclosed(token, token.to, images);
        return this.#use(READERS.directive, token);
      case 'html':
        return this.#html(token);
      case 'root':
      case 'item':
      case 'verbatim':
      case 'summary':
        return [this.verbatim(token.start, token.end)];
      case 'comment':
      case 'definition':
        return [];
      case 'footnote':
        return this.#unusedNote(token);
      case 'heading':
      case 'list':
      case 'quote':
      case 'divider':
      case 'fence':
      case 'indented':
      case 'math':
      case 'pipe':
      case 'admonition':
        return this.#use(READERS[token.kind], token);
    }
  }

  #use(read: ReadBlock, token: Token): BlockNode[] {
    return read(this, token, this.key(token)) ?? [this.verbatim(token.start, token.end)];
  }

  #html(token: Token): BlockNode[] {
    const read = READERS.html(this, token);
    if (read) return read;
    // The scanner names only elements that begin a block wherever they are.
    const start = this.reading.src.slice(token.start, token.start + MAX_NAME);
    const name = token.name || (/^\s*<(\/?[A-Za-z][\w.:-]*)/.exec(start)?.[1] ?? '');
    const what = name === '' ? 'HTML' : `<${name}>`;
    this.#warn('unknown-html', `${what} is not supported and is stored unchanged.`, token);
    return [this.#verbatimLines(token.lines ?? [token.start, token.end])];
  }

  #tag(token: Token, images: boolean): BlockNode[] {
    const tag = token.tag;
    if (!tag) return [];
    const known = nestingOf(TAGS, tag.name);
    if (token.closeStart < 0 && known?.end !== 'optional') {
      // A condition without an end must not show what it was to hide.
      if (tag.name !== 'if') return this.#unclosed(token, tag.end, images);
      this.#warn(
        'unclosed-block',
        '{% if %} has no end tag and applies to all that follows it in the same block.',
        token,
      );
    }
    const read = known?.read?.(this, token, this.key(token), tag);
    if (read) return read;
    this.#warn('unknown-block', `{% ${tag.name} %} is incomplete and is stored unchanged.`, token);
    return this.#unwrapped(token, tag.end, images);
  }

  #unclosed(token: Token, openEnd: number, images: boolean): BlockNode[] {
    const element = token.kind === 'directive' ? ':::' : `<${token.name}>`;
    const name = token.tag ? `{% ${token.tag.name} %}` : element;
    this.#warn('unclosed-block', `${name} has no end tag and is stored unchanged.`, token);
    return this.#unwrapped(token, openEnd, images);
  }

  /** The tags verbatim, and the blocks between them as usual. */
  #unwrapped(token: Token, openEnd: number, images: boolean): BlockNode[] {
    const blocks = [this.verbatim(token.start, openEnd)];
    for (const child of token.children ?? []) {
      const part = child.tag && TAGS.get(child.tag.name)?.within !== undefined;
      const nodes = part
        ? this.#unwrapped(child, child.tag?.end ?? child.start, images)
        : this.#read(child, images);
      child.nodes = nodes;
      for (const node of nodes) blocks.push(node);
    }
    if (token.closeStart >= 0 && token.end > token.closeStart)
      blocks.push(this.verbatim(token.closeStart, token.end));
    return blocks;
  }

  #warn(
    kind: 'unknown-html' | 'unknown-block' | 'unclosed-block',
    message: string,
    { start, end }: Token,
  ): void {
    this.reading.warnings.push({ kind, message, start, end });
  }

  /** A footnote that nothing refers to is not in the document, but its addresses are listed. */
  #unusedNote(token: Token): BlockNode[] {
    if (!this.reading.readNotes.has(token.name) || this.reading.footnotes.get(token.name) !== token) {
      this.reading.pendingNotes.push(token);
    }
    return [];
  }

  annotate(builder: InlineBuilder, label: string, text?: string): void {
    const { reading } = this;
    const note = reading.footnotes.get(label);
    const again = reading.readNotes.has(label);
    const size = note ? note.end - note.start : 0;
    const tooDeep = note && reading.depth + ABOVE_NOTE + heightOf(note) > MAX_DEPTH;
    if (!note || tooDeep || reading.inNote || (again && size > reading.budget)) {
      builder.text(text ?? `[^${label}]`);
      return;
    }
    if (again) reading.budget -= size;
    const { muted } = reading;
    reading.muted = muted || again;
    const body = this.note(note);
    reading.muted = muted;
    const link = builder.takeLink(
      (ref) => ref.kind === 'anchor' && ref.anchor.startsWith('user-content-fn-'),
    );
    builder.annotation(text === undefined ? (link?.nodes ?? []) : [plainTextNode(text)], body);
  }

  note(token: Token): BlockNode[] {
    const { reading } = this;
    const { depth, headings } = reading;
    const before = headings.length;
    reading.readNotes.add(token.name);
    reading.inNote = true;
    reading.shift = depth + ABOVE_NOTE - token.depth;
    const body = this.blocks(token.children ?? [], false);
    reading.shift = 0;
    reading.depth = depth;
    reading.inNote = false;
    headings.length = before;
    return body;
  }
}

/** Height of a footnote in nodes: it is nested where it is referred to. */
function heightOf(note: Token): number {
  const deepest = (token: Token): number =>
    (token.children ?? []).reduce((depth, child) => Math.max(depth, deepest(child)), token.depth);
  return (note.level ||= 1 + deepest(note) - note.depth) - 1;
}

function addLines(src: string, from: number, to: number, lines: number[]): void {
  let start = from;
  for (let at = from; at <= to; at++) {
    if (at < to && !isLineEnd(src.charCodeAt(at))) continue;
    lines.push(start, at);
    if (src.charCodeAt(at) === 13 && src.charCodeAt(at + 1) === 10 && at + 1 < to) at++;
    start = at + 1;
  }
}

/** The key of a container depends on its start tag and first block only, so that later edits inside do not change it. */
function hashOf(src: string, token: Token): Hash {
  const seed = token.kind.charCodeAt(0) * 31 + token.kind.length;
  const first = token.children?.[0];
  if (!token.children) return hashRange(src, token.start, token.end, seed);
  const open = token.tag ? token.tag.end : token.kind === 'details' ? token.to : token.start;
  const own = hashRange(src, token.start, open, seed);
  return first ? combine(own, hashOf(src, first)) : own;
}
