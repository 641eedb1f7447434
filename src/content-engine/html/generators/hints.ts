import type { Selector } from '../selector.ts';
import type { Generator } from '../types.ts';

/** Identifies the pages of a generator. All given members must match. */
export interface Signature {
  /** Part of `<meta name=generator>`, in lower case. */
  readonly meta?: string;
  readonly id?: string;
  readonly className?: string;
  /** Part of the address of a stylesheet or script. */
  readonly resource?: string;
}

/** The structure of a generator's pages. Data only: what every generator may use is in the converter. */
export interface GeneratorHints {
  readonly generator: Generator;
  /** Any of these. */
  readonly signatures: readonly Signature[];
  /** The element with the text of the page; the first that exists. */
  readonly main: readonly Selector[];
  /** Parts of it that are not text of the page. */
  readonly drop: readonly Selector[];
  /** The list of all pages. */
  readonly navigation: readonly Selector[];
  /**
   * A descendant that an element of `navigation` must have: other lists are of the parts of the page, or of its
   * neighbours.
   */
  readonly listed?: Selector;
  /** Links of `navigation` that open a group without a page of its own: they lead to its first page. */
  readonly groups?: Selector;
  /** Lists of the pages below the page, in its text. */
  readonly contents?: readonly Selector[];
  /** Entries of `contents` that also say what a page is about: such a list stays in the text. */
  readonly described?: Selector;
  /** Finds the address of a page with the navigation in the text of `<noscript>`. */
  readonly frame?: RegExp;
  /** The page is such a navigation. */
  readonly isFrame?: boolean;
  readonly admonitions?: readonly Selector[];
  /** Styles of admonitions by class, where they differ from the usual ones. */
  readonly admonitionStyles?: Readonly<Record<string, 'info' | 'warning' | 'danger' | 'success'>>;
  /** The title of the page, where it is not the first heading of the text. */
  readonly title?: readonly Selector[];
  /** Separates the name of the space from the title of the page. */
  readonly titleSeparator?: string;
  /** The description is that of the site. */
  readonly hasSiteDescription?: boolean;
  /** Ids of headings are random, or repeat titles in a form of their own. Links to them lead to our anchors. */
  readonly replacesIds?: boolean;
  /** Every expandable is exported as open. */
  readonly opensDetails?: boolean;
  /** Each item of a list is a list of its own. */
  readonly splitsLists?: boolean;
  /** Bold and italic text is styled by classes that the page itself declares. */
  readonly hasStyleClasses?: boolean;
  /** The first row of a table without `<th>` holds the titles of its columns. */
  readonly hasHeaderRows?: boolean;
}
