import {
  NODE,
  PIECE,
  plainTextNode,
  type ContentRef,
  type ImageInline,
  type InlineContent,
} from '../../../document/index.ts';
import { CR, Finder, isPunctuation, LF, trimEnd, trimStart } from '../../scan/syntax/chars.ts';
import { entityAt } from '../../scan/syntax/entities.ts';
import { CodeSpans } from './code-spans.ts';
import { assembleInlines } from './assemble-inlines.ts';
import { delimiterAt, pairDelimiters } from './delimiters.ts';
import { autolinkAt } from './destination.ts';
import { HtmlInlines } from './inline-html.ts';
import {
  annotationItem,
  linkItem,
  markItem,
  nodeItem,
  nothingItem,
  replaceItem,
  runItem,
  textItem,
  textOfItem,
  unlinkItem,
  type Item,
} from './inline-items.ts';
import { targetAt, type LinkText, type Target } from './link-target.ts';
import { hasOwnText, refAt, type Reading } from '../reading.ts';
import { within, type Span } from '../span.ts';

const SPECIAL = new Uint8Array(128);
for (const char of '\\`*_~[]!<&$\n\r') SPECIAL[char.charCodeAt(0)] = 1;

interface Bracket extends LinkText {
  readonly index: number;
  nested: boolean;
}

/** Reads text with its marks, links and other inlines. In a pipe table (`pipe`), `\|` is a pipe in code too. */
export function readInlines(reading: Reading, span: Span, key: string, pipe: boolean): InlineContent[] {
  const from = trimStart(span.text, span.from, span.to);
  const to = Math.max(from, trimEnd(span.text, from, span.to));
  if (!isPlain(span.text, from, to))
    return new InlineScanner(reading, within(span, from, to), pipe).read(key);
  reading.work.spend(NODE);
  return [plainTextNode(span.text.slice(from, to), `${key}/0`)];
}

/** Most cells and many paragraphs are nothing but words. */
function isPlain(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && SPECIAL[code] !== 0) return false;
  }
  return true;
}

class InlineScanner {
  readonly reading: Reading;
  readonly span: Span;
  readonly items: Item[] = [];
  readonly finder: Finder;
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  readonly #pipe: boolean;
  readonly #brackets: Bracket[] = [];
  readonly #delimiters: number[] = [];
  readonly #codeSpans: CodeSpans;
  #html: HtmlInlines | undefined;
  /** Brackets below this one cannot begin a link, because one was found inside them. */
  #inactive = 0;

  constructor(reading: Reading, span: Span, pipe: boolean) {
    this.reading = reading;
    this.span = span;
    this.#text = span.text;
    this.#from = span.from;
    this.#to = span.to;
    this.#pipe = pipe;
    this.#codeSpans = new CodeSpans(span.text, span.from, span.to);
    this.finder = span.map ? new Finder(span.text) : reading.finder;
  }

  read(key: string): InlineContent[] {
    const text = this.#text;
    const to = this.#to;
    let at = this.#from;
    let start = at;
    while (at < to) {
      const code = text.charCodeAt(at);
      if (code >= 128 || SPECIAL[code] === 0) {
        at++;
        continue;
      }
      if (at > start) this.items.push(textItem(text.slice(start, at)));
      at = this.#special(code, at);
      start = at;
    }
    if (at > start) this.items.push(textItem(text.slice(start, to)));
    pairDelimiters(this.items, this.#delimiters, 0);
    const nodes = assembleInlines(this.reading, this.items, key);
    this.reading.work.spend(nodes.length * NODE + this.items.length * PIECE);
    return nodes;
  }

  /** Reads what begins at `at`, and returns where it ends. */
  #special(code: number, at: number): number {
    this.reading.work.spend(PIECE);
    switch (code) {
      case LF:
      case CR:
        return this.#lineEnd(at);
      case 92: // backslash
        return this.#backslash(at);
      case 96: // `
        return this.#code(at);
      case 42: // *
      case 95: // _
      case 126: // ~
        return this.#delimiter(code, at);
      case 33: // !
        if (this.#text.charCodeAt(at + 1) === 91 && at + 1 < this.#to) return this.#open(at, 2, true);
        return this.#literal(at, at + 1);
      case 91: // [
        return this.#note(at) ?? this.#open(at, 1, false);
      case 93: // ]
        return this.#close(at);
      case 60: // <
        return this.#angle(at);
      case 38: // &
        return this.#entity(at);
      default: // $
        return this.#math(at);
    }
  }

  #literal(at: number, end: number): number {
    this.items.push(textItem(this.#text.slice(at, end)));
    return end;
  }

  #lineEnd(at: number): number {
    const last = this.items.at(-1);
    let hard = false;
    if (last?.kind === 'text') {
      const trimmed = trimEnd(last.text, 0, last.text.length);
      hard = last.text.length - trimmed > 1;
      if (trimmed < last.text.length) last.text = last.text.slice(0, trimmed);
    }
    this.items.push(textItem(hard ? '\n' : ' '));
    return trimStart(this.#text, at, this.#to);
  }

  #backslash(at: number): number {
    const next = this.#text.charCodeAt(at + 1);
    if (at + 1 >= this.#to) return this.#literal(at, at + 1);
    if (next === LF || next === CR) {
      this.items.push(textItem('\n'));
      return trimStart(this.#text, at + 1, this.#to);
    }
    if (!isPunctuation(next)) return this.#literal(at, at + 1);
    this.items.push(textItem(String.fromCharCode(next)));
    return at + 2;
  }

  #delimiter(code: number, at: number): number {
    let end = at + 1;
    while (end < this.#to && this.#text.charCodeAt(end) === code) end++;
    const run = delimiterAt(this.#text, at, end, this.#from, this.#to);
    if (!run.canOpen && !run.canClose) return this.#literal(at, end);
    this.#delimiters.push(this.items.length);
    this.items.push(runItem(run));
    return end;
  }

  #code(at: number): number {
    const end = this.#codeSpans.ticksEnd(at);
    const close = this.#codeSpans.closing(end, end - at);
    if (close < 0) return this.#literal(at, end);
    let content = this.#text.slice(end, close).replace(/\r\n?|\n/g, ' ');
    if (this.#pipe) content = content.replaceAll('\\|', '|');
    if (content.startsWith(' ') && content.endsWith(' ') && content.trim() !== '')
      content = content.slice(1, -1);
    this.items.push(markItem('open', 'code'), textItem(content), markItem('close', 'code'));
    return close + (end - at);
  }

  #entity(at: number): number {
    const entity = entityAt(this.#text, at);
    if (!entity || entity.end > this.#to) return this.#literal(at, at + 1);
    // A space written as an entity is meant, also at the end of a line: it is not part of the text before it.
    this.items.push(textItem(''), textItem(entity.text), nothingItem());
    return entity.end;
  }

  #math(at: number): number {
    if (this.#text.charCodeAt(at + 1) !== 36 || at + 1 >= this.#to) return this.#literal(at, at + 1);
    const close = this.finder.next('$$', at + 2);
    if (close < 0 || close + 2 > this.#to || close === at + 2) return this.#literal(at, at + 2);
    this.reading.work.spend(NODE);
    const formula = this.#text.slice(at + 2, close).replace(/\r\n?/g, '\n');
    this.items.push(nodeItem({ object: 'inline', type: 'inline-math', data: { formula }, isVoid: true }));
    return close + 2;
  }

  #angle(at: number): number {
    const link = autolinkAt(this.#text, at, this.#to);
    if (link) {
      const ref = refAt(this.reading, this.span, at + 1, link.end - 1, link.href, 'link');
      this.items.push(linkItem(ref), textItem(link.text), unlinkItem());
      return link.end;
    }
    this.#html ??= new HtmlInlines(this.reading, this.span, this.items, this.finder);
    return this.#html.read(at) ?? this.#literal(at, at + 1);
  }

  /** `[^label]` of a footnote that exists. */
  #note(at: number): number | undefined {
    if (this.#text.charCodeAt(at + 1) !== 94 || this.reading.inNote || this.reading.footnotes.size === 0)
      return undefined;
    const end = this.finder.next(']', at);
    if (end < 0 || end >= this.#to || end - at > 202) return undefined;
    const label = this.#text.slice(at + 2, end);
    if (!this.reading.footnotes.has(label)) return undefined;
    this.items.push(annotationItem(label));
    return end + 1;
  }

  #open(at: number, length: number, image: boolean): number {
    this.#brackets.push({ index: this.items.length, image, at: at + length, nested: false });
    return this.#literal(at, at + length);
  }

  #close(at: number): number {
    const bracket = this.#brackets.pop();
    if (!bracket) return this.#literal(at, at + 1);
    const inactive = this.#brackets.length < this.#inactive && !bracket.image;
    if (this.#inactive > this.#brackets.length) this.#inactive = this.#brackets.length;
    const parent = this.#brackets.at(-1);
    if (inactive) {
      if (parent) parent.nested = true;
      return this.#literal(at, at + 1);
    }
    const target = targetAt(this.reading, this.span, this.finder, bracket, at);
    if (!target) {
      if (parent) parent.nested = true;
      return this.#literal(at, at + 1);
    }
    if (bracket.image) this.#image(bracket, target);
    else this.#link(bracket, target);
    if (parent) parent.nested = true;
    return target.end;
  }

  #link(bracket: Bracket, target: Target): void {
    pairDelimiters(this.items, this.#delimiters, bracket.index);
    this.#inactive = this.#brackets.length;
    const { href } = target;
    if (target.title === 'mention' && !hasOwnText(href, textOf(this.items.slice(bracket.index + 1)))) {
      const ref = this.#ref(target, 'mention');
      this.items.length = bracket.index;
      this.items.push(nodeItem({ object: 'inline', type: 'mention', data: { ref }, isVoid: true }));
      return;
    }
    const ofNote = href.startsWith('#user-content-fn-') && this.#text.startsWith('[^', target.end);
    const ref: ContentRef = ofNote ? { kind: 'anchor', anchor: href.slice(1) } : this.#ref(target, 'link');
    const open = this.items[bracket.index];
    if (open) replaceItem(open, linkItem(ref));
    this.items.push(unlinkItem());
  }

  #ref(target: Target, kind: 'link' | 'mention'): ContentRef {
    return refAt(this.reading, target.refer ?? this.span, target.from, target.to, target.href, kind);
  }

  #image(bracket: Bracket, target: Target): void {
    pairDelimiters(this.items, this.#delimiters, bracket.index);
    const alt = textOf(this.items.splice(bracket.index).slice(1));
    const { refer = this.span, from, to, href, title } = target;
    const data: ImageInline['data'] = { ref: refAt(this.reading, refer, from, to, href, 'image') };
    if (alt !== '') data.alt = alt;
    if (title) data.caption = title;
    this.items.push(nodeItem({ object: 'inline', type: 'inline-image', data, isVoid: true }));
  }
}

/** Text without marks: an image in it counts as its alternative text. */
const textOf = (items: readonly Item[]): string => items.map(altOf).join('');

function altOf(item: Item): string {
  if (item.kind === 'text' || item.kind === 'delimiter') return textOfItem(item);
  return item.kind === 'node' && item.detail.type === 'inline-image' ? (item.detail.data.alt ?? '') : '';
}
