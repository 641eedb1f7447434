import type { BlockNode } from '../../markdown/index.ts';
import type { Book, BookPage, Place } from './book.ts';
import type { Labels } from './labels.ts';

/** What every part of a book may ask for while it is typeset. */
export interface Setting {
  readonly book: Book;
  readonly labels: Labels;
  /** Page that is being typeset: anchors without a page are on it. */
  readonly page: BookPage;
  /** Whether sections of pages stand in the table of contents, as they do where there is only one page. */
  readonly sectionsInContents: boolean;
  /** What stands beside the first line of a container: its number or sign. */
  readonly mark: string;
  /** Containers around a block. */
  readonly depth: number;
  /** Reusable contents around a block: none is put into itself. */
  readonly within: readonly string[];
  /** How much more markup may come from reusable contents: those that include each other can multiply without end. */
  readonly room: { included: number };
  /** Typesets what a container holds. */
  readonly blocks: (setting: Setting, blocks: readonly BlockNode[]) => string;
  /** Path of an image, if it can be had. */
  readonly picture: (ref: unknown) => string | undefined;
  /** Notes a place that links or the outline lead to. */
  readonly addPlace: (place: Place) => void;
}

export class BookTooLong extends Error {}

/** Typesets one block. */
export type Typesetter = (setting: Setting, block: BlockNode) => string;

/** Typst limits how deep layouts nest; nobody could read what is nested deeper than this either. */
const DEEPEST = 12;

export const inside = (setting: Setting, mark = ''): Setting => ({
  ...setting,
  mark,
  depth: setting.depth + 1,
});
export const isTooDeep = ({ depth }: Setting): boolean => depth >= DEEPEST;
