import type { ContentRef, InlineContent, InlineNode } from '../../../document/index.ts';
import { decodeReferences } from '../../scan/syntax/entities.ts';
import { attributeOf, has, valueIn } from '../../scan/syntax/html-tag.ts';
import { InlineBuilder } from '../inlines/inline-builder.ts';
import { isElement, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { inlineImage, isDarkSource, type Picture } from '../images.ts';
import { buttonData, emojiCode, iconOf, isButton } from '../inlines/inline-html.ts';
import { atom } from '../inlines/atom.ts';
import { colorOf, MARK_OF, noteOf } from '../inlines/marks.ts';
import { hasOwnText, refAt, type Reading } from '../reading.ts';
import type { Span } from '../span.ts';

/** The text of HTML elements: as in a browser, runs of white space are one space. */
export class HtmlText {
  readonly #reading: Reading;
  readonly #span: Span;
  readonly #builder: InlineBuilder;
  /** White space waits until something follows it, so that there is none at the end. */
  #space = false;
  #any = false;

  constructor(reading: Reading, span: Span, key: string) {
    this.#reading = reading;
    this.#span = span;
    this.#builder = new InlineBuilder(key);
  }

  finish(): InlineContent[] {
    return this.#builder.finish();
  }

  add(nodes: readonly HtmlNode[]): this {
    for (const node of nodes) {
      if (isElement(node)) this.#element(node);
      else this.#text(node.from, node.to);
    }
    return this;
  }

  #text(from: number, to: number): void {
    const raw = this.#span.text.slice(from, to);
    let at = 0;
    while (at < raw.length) {
      const math = raw.indexOf('$$', at);
      const end = math < 0 ? -1 : raw.indexOf('$$', math + 2);
      if (end < 0 || end === math + 2) break;
      this.#words(raw.slice(at, math));
      this.#node(
        atom({ type: 'inline-math', data: { formula: decodeReferences(raw.slice(math + 2, end)) } }),
      );
      at = end + 2;
    }
    if (at < raw.length) this.#words(raw.slice(at));
  }

  #words(raw: string): void {
    if (raw === '') return;
    const text = raw.replace(/[ \t\r\n]+/g, ' ');
    const body = text.trim() === '' ? '' : text.replace(/^ | $/g, '');
    if (text.startsWith(' ')) this.#space = true;
    if (body === '') return;
    this.#write(decodeReferences(body));
    this.#space = text.endsWith(' ');
  }

  #write(text: string): void {
    if (this.#space && this.#any) this.#builder.text(' ');
    this.#space = false;
    this.#any = true;
    this.#builder.text(text);
  }

  #node(node: InlineNode): void {
    if (this.#space && this.#any) this.#builder.text(' ');
    this.#space = false;
    this.#any = true;
    this.#builder.inline(node);
  }

  #element(node: HtmlElement): void {
    const { element, children } = node;
    switch (element.name) {
      case 'br':
        this.#builder.text('\n');
        this.#space = false;
        this.#any = false;
        return;
      case 'img':
        this.#node(inlineImage(this.#reading, this.#span, { image: element, dark: undefined }));
        return;
      case 'picture':
        this.#picture(node);
        return;
      case 'mark':
        this.#flushSpace();
        this.#builder.color(colorOf(element));
        this.add(children);
        this.#builder.color(undefined);
        return;
      case 'a':
        this.#anchor(node);
        return;
      case 'button': {
        const label = plainOf(this.#span, children);
        const action = valueIn(element, 'data-action');
        if (action === undefined) this.add(children);
        else {
          const query = valueIn(element, 'data-query');
          const ask = { action, ...(query === undefined ? {} : { query }) };
          this.#node(atom({ type: 'button', data: { ...buttonData(element, label), action: ask } }));
        }
        return;
      }
      default:
        this.#other(node);
    }
  }

  #other({ element, children }: HtmlElement): void {
    const icon = element.name === 'i' ? iconOf(element) : undefined;
    const code = emojiCode(element);
    if (icon !== undefined) this.#node(atom({ type: 'icon', data: { icon } }));
    else if (element.name === 'code' && valueIn(element, 'class') === 'expression') {
      this.#node(atom({ type: 'expression', data: { expression: rawOf(this.#span, children) } }));
    } else if (code !== undefined) this.#node(atom({ type: 'emoji', data: { code } }));
    else {
      const mark = MARK_OF.get(element.name);
      if (!mark) {
        this.add(children);
        return;
      }
      this.#flushSpace();
      this.#builder.mark(mark, 1);
      this.add(children);
      this.#builder.mark(mark, -1);
    }
  }

  /** A space before a mark is outside it. */
  #flushSpace(): void {
    if (this.#space && this.#any) this.#builder.text(' ');
    this.#space = false;
  }

  #anchor({ element, children }: HtmlElement): void {
    const href = attributeOf(element, 'href');
    const id = valueIn(element, 'id');
    if (id && children.length === 0) {
      this.#reading.anchor = id;
      return;
    }
    if (!href) {
      this.add(children);
      return;
    }
    const note = noteOf(element);
    if (note !== undefined) {
      this.#link({ kind: 'anchor', anchor: href.value.slice(1) }, children);
      this.#any = true;
      this.#reading.annotate(this.#builder, note);
      return;
    }
    const isMention = has(element, 'data-mention') && !hasOwnText(href.value, plainOf(this.#span, children));
    const kind = isButton(element) ? 'button' : isMention ? 'mention' : 'link';
    const ref = refAt(this.#reading, this.#span, href.from, href.to, href.value, kind);
    if (kind === 'button') {
      const data = { ...buttonData(element, plainOf(this.#span, children)), ref };
      this.#node(atom({ type: 'button', data }));
    } else if (kind === 'mention') this.#node(atom({ type: 'mention', data: { ref } }));
    else this.#link(ref, children);
  }

  #link(ref: ContentRef, children: readonly HtmlNode[]): void {
    this.#flushSpace();
    const opened = this.#builder.openLink(ref);
    this.add(children);
    if (opened) this.#builder.closeLink();
  }

  #picture({ children }: HtmlElement): void {
    const picture = pictureOf(children);
    if (picture.image) this.#node(inlineImage(this.#reading, this.#span, picture));
  }
}

export function pictureOf(nodes: readonly HtmlNode[]): Picture {
  let image: Picture['image'];
  let dark: Picture['dark'];
  const look = (children: readonly HtmlNode[]): void => {
    for (const node of children) {
      if (!isElement(node)) continue;
      if (node.element.name === 'img') image ??= node.element;
      else if (isDarkSource(node.element)) dark ??= node.element;
      look(node.children);
    }
  };
  look(nodes);
  return { image, dark };
}

/** The words of some HTML, without marks. */
export const plainOf = (span: Span, nodes: readonly HtmlNode[]): string =>
  decodeReferences(
    undecoded(span, nodes)
      .replace(/[ \t\r\n]+/g, ' ')
      .trim(),
  );

/** The text of a span, including white space. */
export const rawOf = (span: Span, nodes: readonly HtmlNode[]): string =>
  decodeReferences(undecoded(span, nodes));

function undecoded(span: Span, nodes: readonly HtmlNode[]): string {
  const parts: string[] = [];
  const look = (children: readonly HtmlNode[]): void => {
    for (const node of children) {
      if (isElement(node)) look(node.children);
      else parts.push(span.text.slice(node.from, node.to));
    }
  };
  look(nodes);
  return parts.join('');
}
