import {
  paragraphOf,
  PLAIN_MARKS,
  type AnnotationInline,
  type BlockNode,
  type Color,
  type ContentRef,
  type InlineContent,
  type InlineNode,
  type Leaf,
  type LinkInline,
  type Mark,
  type PlainMark,
  type TextNode,
} from '../../../document/index.ts';

export interface MarkColors {
  readonly text: Color;
  readonly background: Color;
}

/** Assembles text, marks and inlines. Marks may overlap: a leaf carries all that are open. */
export class InlineBuilder {
  readonly nodes: InlineContent[] = [];
  readonly #key: string;
  readonly #open = [0, 0, 0, 0, 0, 0, 0];
  readonly #colors: MarkColors[] = [];
  #anyMark = 0;
  #link: LinkInline | undefined;
  #leaf: Leaf | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  text(text: string): void {
    if (text === '') return;
    if (this.#leaf) this.#leaf.text += text;
    else {
      this.#leaf = { object: 'leaf', text, marks: this.#marks() };
      this.#textNode().leaves.push(this.#leaf);
    }
  }

  mark(type: PlainMark, by: 1 | -1): void {
    const index = PLAIN_MARKS.indexOf(type);
    const before = this.#open[index] ?? 0;
    const after = Math.max(0, before + by);
    this.#open[index] = after;
    if (before > 0 === after > 0) return;
    this.#anyMark += by;
    this.#leaf = undefined;
  }

  color(color: MarkColors | undefined): void {
    if (color) this.#colors.push(color);
    else this.#colors.pop();
    this.#leaf = undefined;
  }

  inline(node: InlineNode): void {
    this.#leaf = undefined;
    const into = this.#target();
    node.key = this.#nextKey(into);
    into.push(node);
  }

  /** Returns false inside a link: links do not nest. */
  openLink(ref: ContentRef): boolean {
    if (this.#link) return false;
    this.#leaf = undefined;
    const link: LinkInline = {
      object: 'inline',
      type: 'link',
      key: this.#nextKey(this.nodes),
      data: { ref },
      nodes: [],
    };
    this.nodes.push(link);
    this.#link = link;
    return true;
  }

  closeLink(): void {
    this.#link = undefined;
    this.#leaf = undefined;
  }

  /** Takes back the link that was just closed, if it is one that belongs to an annotation. */
  takeLink(belongs: (ref: ContentRef) => boolean): LinkInline | undefined {
    const last = this.nodes.at(-1);
    if (this.#link || last?.object !== 'inline' || last.type !== 'link') return undefined;
    if (!belongs(last.data.ref)) return undefined;
    this.nodes.pop();
    this.#leaf = undefined;
    return last;
  }

  /** Text with a footnote. Inside a link, which takes no other inlines, only the text stays. */
  annotation(nodes: readonly InlineContent[], body: BlockNode[]): void {
    if (this.#link) return;
    const node: AnnotationInline = { object: 'inline', type: 'annotation', nodes: [], isVoid: false };
    this.inline(node);
    const key = node.key ?? '';
    node.nodes = nodes
      .filter((one) => one.object === 'text')
      .map((one, index) => ({ ...one, key: `${key}/${index}` }));
    const content = body.length > 0 ? body : [paragraphOf(`${key}/note/0`)];
    node.fragments = [
      {
        object: 'fragment',
        key: `${key}/note`,
        type: 'annotation-body',
        fragment: 'annotation-body',
        nodes: content,
      },
    ];
  }

  /** All that was read; a block without text still holds one empty leaf, as editors expect. */
  finish(): InlineContent[] {
    if (this.nodes.length === 0) this.#textNode().leaves.push({ object: 'leaf', text: '', marks: [] });
    return this.nodes;
  }

  #target(): InlineContent[] {
    return this.#link?.nodes ?? this.nodes;
  }

  #nextKey(into: InlineContent[]): string {
    return into === this.nodes ? `${this.#key}/${into.length}` : `${this.#link?.key ?? ''}/${into.length}`;
  }

  #textNode(): TextNode {
    const into = this.#target();
    const last = into.at(-1);
    if (last?.object === 'text') return last;
    const node: TextNode = { object: 'text', key: this.#nextKey(into), leaves: [] };
    into.push(node);
    return node;
  }

  #marks(): Mark[] {
    if (this.#anyMark === 0 && this.#colors.length === 0) return [];
    const marks: Mark[] = [];
    for (const [index, type] of PLAIN_MARKS.entries()) {
      if ((this.#open[index] ?? 0) > 0) marks.push({ object: 'mark', type });
    }
    const color = this.#colors.at(-1);
    if (color) marks.push({ object: 'mark', type: 'color', data: { ...color } });
    return marks;
  }
}
