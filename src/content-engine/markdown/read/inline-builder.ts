import type {
  BlockNode,
  ContentRef,
  InlineContent,
  InlineNode,
  Leaf,
  Mark,
  MarkType,
  TextNode,
} from '../../document/nodes.ts';

/** The marks in the order in which they are always listed. */
const MARKS: readonly MarkType[] = [
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
];

export interface Color {
  readonly text: string;
  readonly background: string;
}

/** Puts text, marks and inlines together. Marks nest freely here: a leaf carries those that are open. */
export class InlineBuilder {
  readonly nodes: InlineContent[] = [];
  readonly #key: string;
  readonly #open = [0, 0, 0, 0, 0, 0, 0];
  readonly #colors: Color[] = [];
  #anyMark = 0;
  #link: InlineNode | undefined;
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

  mark(type: MarkType, by: 1 | -1): void {
    const index = MARKS.indexOf(type);
    const before = this.#open[index] ?? 0;
    const after = Math.max(0, before + by);
    this.#open[index] = after;
    if (before > 0 === after > 0) return;
    this.#anyMark += by;
    this.#leaf = undefined;
  }

  color(color: Color | undefined): void {
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
    const link: InlineNode = {
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
  takeLink(belongs: (ref: ContentRef | undefined) => boolean): InlineNode | undefined {
    const last = this.nodes.at(-1);
    if (this.#link || last?.object !== 'inline' || last.type !== 'link') return undefined;
    if (!belongs(last.data?.['ref'] as ContentRef | undefined)) return undefined;
    this.nodes.pop();
    this.#leaf = undefined;
    return last;
  }

  /** Text with a footnote. Inside a link, which takes no other inlines, only the text stays. */
  annotation(nodes: InlineContent[], body: BlockNode[]): void {
    if (this.#link) return;
    const node: InlineNode = { object: 'inline', type: 'annotation', nodes: [], isVoid: false };
    this.inline(node);
    const key = node.key ?? '';
    node.nodes = nodes
      .filter((one) => one.object === 'text')
      .map((one, index) => ({ ...one, key: `${key}/${index}` }));
    const content: BlockNode[] =
      body.length > 0 ? body : [{ object: 'block', type: 'paragraph', key: `${key}/note/0`, nodes: [] }];
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
    for (let index = 0; index < MARKS.length; index++) {
      if ((this.#open[index] ?? 0) > 0) marks.push({ object: 'mark', type: MARKS[index] as MarkType });
    }
    const color = this.#colors.at(-1);
    if (color) marks.push({ object: 'mark', type: 'color', data: { ...color } });
    return marks;
  }
}
