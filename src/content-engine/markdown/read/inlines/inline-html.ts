import type { ButtonData, InlineNode } from '../../../document/index.ts';
import { atom } from './atom.ts';
import { trimStart, type Finder } from '../../scan/syntax/chars.ts';
import { attributeOf, htmlTagAt, has, valueIn, type HtmlTag } from '../../scan/syntax/html-tag.ts';
import { decodeEntities } from '../../scan/syntax/entities.ts';
import { inlineImage, isDarkSource } from '../images.ts';
import {
  annotationItem,
  colorItem,
  linkItem,
  markItem,
  nodeItem,
  nothingItem,
  replaceItem,
  textItem,
  unlinkItem,
  type Item,
} from './inline-items.ts';
import { colorOf, MARK_OF, noteOf, TRANSPARENT } from './marks.ts';
import { hasOwnText, isUrl, refAt, type Reading } from '../reading.ts';
import type { Span } from '../span.ts';

interface Pending {
  readonly item: Item;
  readonly element: HtmlTag;
}

/** HTML inside a text: inlines, marks, and words in angle brackets that are neither. */
export class HtmlInlines {
  readonly #reading: Reading;
  readonly #span: Span;
  readonly #items: Item[];
  readonly #finder: Finder;
  readonly #open = new Map<string, Pending[]>();
  /** The end of the last picture without an image. A picture inside that one ends there, too, and has none either. */
  #endWithoutImage: number | undefined;

  constructor(reading: Reading, span: Span, items: Item[], finder: Finder) {
    this.#reading = reading;
    this.#span = span;
    this.#items = items;
    this.#finder = finder;
  }

  /** Reads the tag at `at` and returns where to go on, or undefined when the `<` is just that. */
  read(at: number): number | undefined {
    const { text, to } = this.#span;
    if (text.startsWith('<!--', at)) {
      // `<!-->` and `<!--->` are comments, too.
      const end = this.#finder.next('-->', at + 2);
      return end < 0 || end + 3 > to ? undefined : end + 3;
    }
    const element = htmlTagAt(text, at, to);
    if (!element) return undefined;
    if (element.closing) return this.#close(element);
    return this.#atom(element) ?? this.#start(element);
  }

  /** Elements that are one inline, with all they hold. */
  #atom(element: HtmlTag): number | undefined {
    switch (element.name) {
      case 'br':
        this.#items.push(textItem('\n'), nothingItem());
        return trimStart(this.#span.text, element.end, this.#span.to);
      case 'img':
        this.#push(inlineImage(this.#reading, this.#span, { image: element, dark: undefined }));
        return element.end;
      case 'picture':
        return this.#picture(element);
      case 'i':
        return this.#icon(element);
      case 'code':
        if (valueIn(element, 'class') !== 'expression') return undefined;
        return this.#whole(element, (raw) =>
          atom({ type: 'expression', data: { expression: decodeEntities(raw) } }),
        );
      case 'span':
        return this.#emoji(element);
      case 'button':
        return this.#action(element);
      case 'a':
        return this.#anchor(element);
      default:
        return undefined;
    }
  }

  #push(node: InlineNode): void {
    this.#items.push(nodeItem(node));
  }

  /** Where the content of the element ends, if it does within the text. */
  #end(element: HtmlTag): number | undefined {
    const end = this.#finder.next(`</${element.name}>`, element.end);
    return end < 0 || end + element.name.length + 3 > this.#span.to ? undefined : end;
  }

  #whole(element: HtmlTag, make: (raw: string) => InlineNode | undefined): number | undefined {
    const end = this.#end(element);
    if (end === undefined) return undefined;
    const node = make(this.#span.text.slice(element.end, end));
    if (!node) return undefined;
    this.#push(node);
    return end + element.name.length + 3;
  }

  #emoji(element: HtmlTag): number | undefined {
    const code = emojiCode(element);
    return code === undefined
      ? undefined
      : this.#whole(element, () => atom({ type: 'emoji', data: { code } }));
  }

  #icon(element: HtmlTag): number | undefined {
    const icon = iconOf(element);
    return icon === undefined
      ? undefined
      : this.#whole(element, () => atom({ type: 'icon', data: { icon } }));
  }

  #action(element: HtmlTag): number | undefined {
    const action = valueIn(element, 'data-action');
    if (action === undefined) return undefined;
    return this.#whole(element, (raw) => {
      const data = buttonData(element, textIn(raw));
      const query = valueIn(element, 'data-query');
      const slug = valueIn(element, 'data-slug');
      data.action = {
        action,
        ...(query === undefined ? {} : { query }),
        ...(slug === undefined ? {} : { slug }),
      };
      return atom({ type: 'button', data });
    });
  }

  #anchor(element: HtmlTag): number | undefined {
    const { text } = this.#span;
    const id = valueIn(element, 'id');
    if (id && text.startsWith('</a>', element.end)) {
      this.#reading.anchor = id;
      return element.end + 4;
    }
    const href = attributeOf(element, 'href');
    if (!href) return undefined;
    if (isButton(element)) {
      return this.#whole(element, (raw) => {
        const ref = refAt(this.#reading, this.#span, href.from, href.to, href.value, 'button');
        return atom({ type: 'button', data: { ...buttonData(element, textIn(raw)), ref } });
      });
    }
    if (!has(element, 'data-mention') && valueIn(element, 'title') !== 'mention') return undefined;
    return this.#whole(element, (raw) => {
      // A start tag inside ends at the same end tag. Its text is part of this one's: reading each again takes quadratic time.
      if (isUrl(href.value) && (/<a\b/i.test(raw) || hasOwnText(href.value, textIn(raw)))) return undefined;
      const ref = refAt(this.#reading, this.#span, href.from, href.to, href.value, 'mention');
      return atom({ type: 'mention', data: { ref } });
    });
  }

  #picture(element: HtmlTag): number | undefined {
    const end = this.#end(element);
    if (end === undefined || end === this.#endWithoutImage) return undefined;
    let image: HtmlTag | undefined;
    let dark: HtmlTag | undefined;
    let at = this.#span.text.indexOf('<', element.end);
    while (at >= 0 && at < end) {
      const inner = htmlTagAt(this.#span.text, at, end);
      if (inner?.name === 'img') image = inner;
      else if (inner && isDarkSource(inner)) dark = inner;
      at = this.#span.text.indexOf('<', inner?.end ?? at + 1);
    }
    if (!image) {
      this.#endWithoutImage = end;
      return undefined;
    }
    this.#push(inlineImage(this.#reading, this.#span, { image, dark }));
    return end + 10;
  }

  /** A start tag that waits for its end tag. Until then it is text. */
  #start(element: HtmlTag): number {
    if (this.#isEndOfMark(element)) return this.#close(element);
    const raw = textItem(textOfTag(this.#span.text, element));
    this.#items.push(raw);
    if (!element.selfClosing && (MARK_OF.has(element.name) || TRANSPARENT.has(element.name))) {
      const pending = this.#open.get(element.name);
      if (pending) pending.push({ item: raw, element });
      else this.#open.set(element.name, [{ item: raw, element }]);
    }
    return element.end;
  }

  /** Exports write `<sup><mark style="color:red;">1<mark></sup>`: what would be an empty mark ends the open one. */
  #isEndOfMark({ name, attributes, end }: HtmlTag): boolean {
    const { text } = this.#span;
    if (name !== 'mark' || attributes.length > 0 || !text.startsWith('</', end)) return false;
    return !text.startsWith('</mark', end) && (this.#open.get(name)?.length ?? 0) > 0;
  }

  #close(element: HtmlTag): number {
    const pending = this.#open.get(element.name)?.pop();
    if (!pending) {
      this.#items.push(textItem(textOfTag(this.#span.text, element)));
      return element.end;
    }
    replaceItem(pending.item, nothingItem());
    this.#pair(pending);
    return element.end;
  }

  #pair({ item: open, element }: Pending): void {
    const mark = MARK_OF.get(element.name);
    if (mark) {
      replaceItem(open, markItem('open', mark));
      this.#items.push(markItem('close', mark));
    } else if (element.name === 'mark') {
      replaceItem(open, colorItem(colorOf(element)));
      this.#items.push(colorItem(null));
    } else if (element.name === 'a') this.#link(open, element);
  }

  #link(open: Item, element: HtmlTag): void {
    const href = attributeOf(element, 'href');
    if (!href) return;
    const note = noteOf(element);
    if (note !== undefined) {
      replaceItem(open, linkItem({ kind: 'anchor', anchor: href.value.slice(1) }));
      this.#items.push(unlinkItem(), annotationItem(note));
      return;
    }
    const ref = refAt(this.#reading, this.#span, href.from, href.to, href.value, 'link');
    replaceItem(open, linkItem(ref));
    this.#items.push(unlinkItem());
  }
}

/** A tag that is text, on one line as any other text of a paragraph. */
function textOfTag(text: string, { start, end }: HtmlTag): string {
  const tag = text.slice(start, end);
  return /[\r\n]/.test(tag) ? tag.replace(/\s+/g, ' ') : tag;
}

/** The text of a piece of HTML without its tags. */
const textIn = (html: string): string =>
  decodeEntities(html.replace(/<[^<>]*>/g, '').replace(/\s+/g, ' ')).trim();

export const isButton = (element: HtmlTag): boolean =>
  /(^|\s)button(\s|$)/.test(valueIn(element, 'class') ?? '');

export function buttonData(element: HtmlTag, label: string): ButtonData {
  const kind = /(^|\s)secondary(\s|$)/.test(valueIn(element, 'class') ?? '') ? 'secondary' : 'primary';
  const icon = valueIn(element, 'data-icon');
  const size = valueIn(element, 'data-size');
  const data: ButtonData = { label, kind };
  if (icon) data.icon = icon.slice(0, 50);
  if (size === 'small' || size === 'medium' || size === 'large') data.size = size;
  return data;
}

/** `<i class="fa-github">`, `<i class="fa-brands fa-github">`. */
export function iconOf(element: HtmlTag): string | undefined {
  const names = (valueIn(element, 'class') ?? '').split(/\s+/).filter((name) => name.startsWith('fa-'));
  return names.at(-1)?.slice(3);
}

/** `<span data-tag="emoji" data-code="1f600">`. */
export function emojiCode(element: HtmlTag): string | undefined {
  const isEmoji = element.name === 'span' && valueIn(element, 'data-tag') === 'emoji';
  return isEmoji ? valueIn(element, 'data-code') || undefined : undefined;
}
