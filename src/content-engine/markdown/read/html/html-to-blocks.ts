import {
  combine,
  hashRange,
  paragraphOf,
  type BlockNode,
  type Hash,
  type ImageBlock,
  type ImagesBlock,
  type ListItemBlock,
  type ParagraphBlock,
} from '../../../document/index.ts';
import { has, isSet, valueIn, type HtmlTag } from '../../scan/syntax/html-tag.ts';
import { headingBlock } from '../headings.ts';
import { HtmlText, pictureOf } from './html-text.ts';
import { isElement, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { drawingBlock, imageBlock, isDrawing } from '../images.ts';
import { MARK_OF, TRANSPARENT } from '../inlines/marks.ts';
import { preBlock } from './pre.ts';
import type { Reading } from '../reading.ts';
import type { Span } from '../span.ts';
import { MAX_DEPTH } from '../../scan/token.ts';

/** HTML for which the document model has blocks: paragraphs, headings, lists, images, code. */

const BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote figure hr pre div center'.split(' '));
/** Markdown allows nine digits. */
const MAX_START = 999_999_999;
const NESTING = new Set(['ul', 'ol', 'blockquote']);
const INLINES = new Set([...MARK_OF.keys(), ...TRANSPARENT, 'br', 'img', 'picture', 'source', 'mark']);

/** Whether all elements are known, so that nothing but white space is lost by reading them. */
export function isKnownHtml(nodes: readonly HtmlNode[]): boolean {
  return nodes.every(
    (node) =>
      !isElement(node) ||
      ((BLOCKS.has(node.element.name) ||
        INLINES.has(node.element.name) ||
        isBox(node.element) ||
        node.element.name === 'figcaption') &&
        isKnownHtml(node.children)),
  );
}

export class HtmlBlocks {
  readonly #reading: Reading;
  readonly #span: Span;
  /** Nesting depth of these blocks in the document. */
  readonly #depth: number;
  readonly blocks: BlockNode[] = [];
  #inline: HtmlNode[] = [];
  #align: 'center' | 'end' | undefined;

  constructor(reading: Reading, span: Span, depth: number) {
    this.#reading = reading;
    this.#span = span;
    this.#depth = depth;
  }

  read(nodes: readonly HtmlNode[]): BlockNode[] {
    for (const node of nodes) {
      if (isElement(node) && BLOCKS.has(node.element.name) && !this.#tooDeep(node)) {
        this.#flush();
        this.#block(node);
      } else this.#inline.push(node);
    }
    this.#flush();
    return this.blocks;
  }

  /** Lists and quotes are text when they are nested too deep. */
  #tooDeep({ element }: HtmlElement): boolean {
    return this.#depth + 2 > MAX_DEPTH && NESTING.has(element.name);
  }

  key(nodes: readonly HtmlNode[], seed: number): string {
    return this.#reading.keys.next(hashNodes(this.#span, nodes, seed));
  }

  #flush(): void {
    const nodes = this.#inline;
    this.#inline = [];
    if (nodes.every((node) => !isElement(node) && this.#span.text.slice(node.from, node.to).trim() === ''))
      return;
    this.blocks.push(this.paragraph(nodes, this.#align));
  }

  paragraph(nodes: readonly HtmlNode[], align?: 'center' | 'end'): ParagraphBlock {
    const key = this.key(nodes, 1);
    const block = paragraphOf(key, new HtmlText(this.#reading, this.#span, key).add(nodes).finish());
    if (align !== undefined) block.data = { align };
    return block;
  }

  #block(node: HtmlElement): void {
    const { element, children } = node;
    switch (element.name) {
      case 'hr':
        this.blocks.push({
          object: 'block',
          type: 'divider',
          key: this.key([node], 2),
          data: {},
          isVoid: true,
        });
        return;
      case 'ul':
      case 'ol':
        this.#list(node);
        return;
      case 'figure':
        this.images([node], element);
        return;
      case 'pre':
        this.blocks.push(preBlock(this.#reading, this.#span, node, this.key([node], 3)));
        return;
      case 'blockquote':
        this.blocks.push({
          object: 'block',
          type: 'blockquote',
          key: this.key(children, 4),
          nodes: this.#inner(children, 1),
        });
        return;
      case 'div':
      case 'center':
        this.#division(node);
        return;
      case 'p':
        this.#paragraph(node);
        return;
      case 'li':
        this.read(children);
        return;
      default:
        this.#heading(node);
    }
  }

  #inner(nodes: readonly HtmlNode[], deeper: number): BlockNode[] {
    return new HtmlBlocks(this.#reading, this.#span, this.#depth + deeper).read(nodes);
  }

  #paragraph({ element, children }: HtmlElement): void {
    const align = alignOf(element);
    if (children.some((child) => isElement(child) && BLOCKS.has(child.element.name)))
      this.blocks.push(...this.#inner(children, 0));
    else this.blocks.push(this.paragraph(children, align));
  }

  #heading({ element, children }: HtmlElement): void {
    const key = this.key(children, 5);
    this.#reading.anchor = undefined;
    const content = new HtmlText(this.#reading, this.#span, key).add(children).finish();
    const id = valueIn(element, 'id') ?? this.#reading.anchor;
    const block = headingBlock(Number(element.name[1]), key, content, id);
    const align = alignOf(element);
    if (align !== undefined) (block.data ??= {}).align = align;
    this.#reading.headings.push(block);
    this.blocks.push(block);
  }

  #list({ element, children }: HtmlElement): void {
    const key = this.key(children, 6);
    const items = children.filter(
      (child): child is HtmlElement => isElement(child) && child.element.name === 'li',
    );
    const ordered = element.name === 'ol';
    const tasks = !ordered && items[0] !== undefined && boxIn(items[0]) !== undefined;
    const nodes = items.map((one): ListItemBlock => {
      const inner = this.#inner(one.children, 2);
      const content = inner.length > 0 ? inner : [this.paragraph([])];
      const node: ListItemBlock = {
        object: 'block',
        type: 'list-item',
        key: this.key(one.children, 7),
        nodes: content,
      };
      const box = boxIn(one);
      if (tasks) node.data = { checked: box !== undefined && has(box, 'checked') };
      return node;
    });
    if (ordered) {
      const data = listData(valueIn(element, 'start'));
      this.blocks.push({ object: 'block', type: 'list-ordered', key, nodes, data });
    } else this.blocks.push({ object: 'block', type: tasks ? 'list-tasks' : 'list-unordered', key, nodes });
  }

  /** `<div>` around figures is a block of images; around anything else only its alignment counts. */
  #division({ element, children }: HtmlElement): void {
    const figures = children.filter(isElement).filter(isPicture);
    const rest = children.some((child) =>
      isElement(child) ? !isPicture(child) : this.#span.text.slice(child.from, child.to).trim() !== '',
    );
    if (figures.length > 0 && !rest) {
      this.images(figures, element);
      return;
    }
    const before = this.#align;
    this.#align = element.name === 'center' ? 'center' : (alignOf(element) ?? before);
    this.read(children);
    this.#align = before;
  }

  images(figures: readonly HtmlElement[], outer: HtmlTag): void {
    const key = this.key(figures, 8);
    const only = figures.length === 1 ? pictureOf(figures).image : undefined;
    if (only && isDrawing(only)) {
      this.blocks.push(drawingBlock(this.#reading, this.#span, only, key));
      return;
    }
    const nodes = figures.map((figure, index) => this.#image(figure, `${key}/${index}`));
    const data: ImagesBlock['data'] = {};
    const align = valueIn(outer, 'align');
    if (align === 'left' || align === 'center' || align === 'right') data.align = align;
    if (isSet(outer, 'data-full-width')) data.fullWidth = true;
    if (isSet(outer, 'data-with-frame')) data.withFrame = true;
    this.blocks.push({ object: 'block', type: 'images', key, data, nodes, isVoid: false });
  }

  #image(figure: HtmlElement, key: string): ImageBlock {
    const caption = figure.children.find(
      (child): child is HtmlElement => isElement(child) && child.element.name === 'figcaption',
    );
    const blocks = caption ? this.#inner(caption.children, 3) : [];
    const paragraph = blocks.find((block): block is ParagraphBlock => block.type === 'paragraph');
    return imageBlock(this.#reading, this.#span, pictureOf([figure]), key, paragraph);
  }
}

const isBox = (element: HtmlTag): boolean =>
  element.name === 'input' && valueIn(element, 'type') === 'checkbox';

/** The box of a task: `<li><input type="checkbox" checked>`. */
function boxIn({ children }: HtmlElement): HtmlTag | undefined {
  const first = children.find(isElement)?.element;
  return first && isBox(first) ? first : undefined;
}

const isPicture = (node: HtmlElement): boolean =>
  node.element.name === 'figure' || node.element.name === 'img' || node.element.name === 'picture';

/** The data of an ordered list with this `start` attribute. */
export function listData(attribute: string | undefined): { start?: number } {
  const start = Number(attribute);
  return Number.isInteger(start) && start > 1 && start <= MAX_START ? { start } : {};
}

export function alignOf(element: HtmlTag): 'center' | 'end' | undefined {
  const align = valueIn(element, 'align');
  return align === 'center' ? 'center' : align === 'right' ? 'end' : undefined;
}

export function hashNodes(span: Span, nodes: readonly HtmlNode[], seed: number): Hash {
  let hash = hashRange('', 0, 0, seed);
  for (const node of nodes) {
    hash = isElement(node)
      ? combine(
          combine(hash, hashRange(span.text, node.element.start, node.element.end, 0)),
          hashNodes(span, node.children, 9),
        )
      : combine(hash, hashRange(span.text, node.from, node.to, 0));
  }
  return hash;
}
