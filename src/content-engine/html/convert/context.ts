import type {
  AnnotationInline,
  BlockNode,
  HeadingBlock,
  HeadingType,
  InlineContent,
} from '../../document/index.ts';
import type { Addresses } from '../addresses.ts';
import type { ChildNode, Element } from '../dom.ts';
import type { GeneratorHints } from '../generators/hints.ts';
import type { Measures } from '../main-content/measure.ts';
import type { StyleMarks } from './style-marks.ts';

/** The conversion of one page: its facts, and the services that converters of single blocks use. */
export interface Conversion {
  readonly hints: GeneratorHints;
  readonly addresses: Addresses;
  readonly measures: Measures;
  readonly headings: Headings;
  readonly footnotes: Footnotes;
  readonly styleMarks: StyleMarks;
  /** Elements that may be formulas by their class. */
  readonly formulaContainers: ReadonlySet<Element>;
  /** Followable addresses of links, without fragment. */
  readonly links: Set<string>;
  readonly images: Set<string>;
  blocks(nodes: readonly ChildNode[]): BlockNode[];
  /** The content of a block inside another, which joins the outer one where blocks are nested too deep. */
  inner(nodes: readonly ChildNode[]): BlockNode[];
  readonly isTooDeep: boolean;
  /** Text on one line or several. */
  inlines(nodes: readonly ChildNode[]): InlineContent[];
  /** A run of text as paragraphs, or as an image if that is all. */
  paragraphs(nodes: readonly ChildNode[]): BlockNode[];
}

/** Converts an element; undefined: it is something else. */
export type BlockConverter = (element: Element, conversion: Conversion) => BlockNode[] | undefined;

/** The levels and anchors of the headings of a page. */
export interface Headings {
  typeOf(tagName: string): HeadingType;
  /** The anchor that a heading must state, because its text does not give it. */
  explicitId(id: string | undefined, text: string): string | undefined;
  /** The first element of a section, other than spans, which mark places. */
  firstIn(section: Element): Element | undefined;
  /** The blocks that elements became. */
  readonly blockOf: Map<Element, HeadingBlock>;
}

/** Footnotes: their text becomes an annotation where it is referred to. */
export interface Footnotes {
  /** The annotation of a reference. Null: a reference that shows nothing. Undefined: an ordinary link. */
  annotation(link: Element, conversion: Conversion): AnnotationInline | null | undefined;
  /** The notes in an element that nothing refers to; undefined: there are no notes in it. */
  unreferenced(element: Element): Element[] | undefined;
}
