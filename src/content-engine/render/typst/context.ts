import type { BlockNode, ImageRef } from '../../document/index.ts';
import type { Book, BookPage, Place } from './book.ts';
import type { Labels } from './labels.ts';

/** The context in which a part of a book is typeset. */
export interface Context {
  readonly book: Book;
  readonly labels: Labels;
  /** Page that is being typeset: anchors without a page are on it. */
  readonly page: BookPage;
  /** Whether sections are in the table of contents, as in a book of one page. */
  readonly sectionsInContents: boolean;
  /** Markup beside the first line of a container: its number or sign. */
  readonly mark: string;
  /** Containers around a block. */
  readonly depth: number;
  /** Ids of the reusable contents around a block: none includes itself. */
  readonly within: readonly string[];
  /** How much more markup reusable contents may produce: those that include each other grow exponentially. */
  readonly room: { included: number };
  /** Typesets what a container holds. */
  readonly blocks: (context: Context, blocks: readonly BlockNode[]) => string;
  /** Path of an image, if it is available. */
  readonly picture: (ref: ImageRef) => string | undefined;
  /** Records a target of links or of the outline. */
  readonly addPlace: (place: Place) => void;
}

export class BookTooLong extends Error {}

/** Typesets nodes of a type, or the content of cells. */
export type Typesetter<Node> = (context: Context, node: Node) => string;

/** Typst limits the nesting of layouts; deeper content would not be legible either. */
const MAX_DEPTH = 12;

export const inside = (context: Context, mark = ''): Context => ({
  ...context,
  mark,
  depth: context.depth + 1,
});
export const isTooDeep = ({ depth }: Context): boolean => depth >= MAX_DEPTH;
