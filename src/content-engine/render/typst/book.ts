import {
  childrenOf,
  readTable,
  type AnyNode,
  type ContentRef,
  type ImageRef,
  type JSONDocument,
} from '../../document/index.ts';

/** The input of the typesetter: pages in reading order, and the targets of their references. */
export interface Book {
  readonly title: string;
  /** A line below the title. */
  readonly subtitle?: string | undefined;
  /** The date in words, such as `15 November 2026`. */
  readonly date?: string | undefined;
  /** ISO 639, two or three letters; by default, of the script of the text. */
  readonly language?: string | undefined;
  readonly pages: readonly BookPage[];
  /** Available images, by `pictureKey`. Any other image shows its alternative text. */
  readonly pictures?: ReadonlySet<string> | undefined;
  /** Documents of reusable contents, by id. */
  readonly reusableContents?: ReadonlyMap<string, JSONDocument> | undefined;
  /** Title and address of a target outside of the book: other pages, users, spaces, files, specifications. */
  readonly describe?: ((ref: ContentRef) => Described | undefined) | undefined;
}

export interface BookPage {
  readonly id: string;
  readonly title: string;
  /** The title in contents and outline, where it differs. */
  readonly linkTitle?: string | undefined;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  /** 0 at the top of the tree. */
  readonly depth: number;
  /** None: a group, which is only a title above the pages that follow. */
  readonly document?: JSONDocument | undefined;
}

export interface Described {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

/** A book as Typst markup. Sheets can be compiled apart from each other, each group of them behind the preamble. */
export interface Typeset {
  readonly preamble: string;
  readonly titlePage: string;
  readonly sheets: readonly Sheet[];
  /** Images by the path that markup reads them from. */
  readonly pictures: ReadonlyMap<string, ImageRef>;
}

/** A page of the book, or a part of a long one. It starts a new page in the PDF. */
export interface Sheet {
  /** The title of its page. */
  readonly name: string;
  readonly markup: string;
  /** Paths of the images in it. */
  readonly files: readonly string[];
  readonly places: readonly Place[];
}

/** The target of a link: its label in the markup. Those with a level are in the outline. */
export interface Place {
  readonly label: string;
  readonly title: string;
  /** 1 for pages at the top. */
  readonly level?: number;
  readonly inContents?: boolean;
}

/** Under which key an image is passed: the id of its file, or its URL. */
export const pictureKey = (ref: ImageRef): string => (ref.kind === 'file' ? ref.file : ref.url);

/** Every image that documents show, once: what has to be fetched before a book is typeset. */
export function picturesIn(documents: Iterable<JSONDocument>): ImageRef[] {
  const found = new Map<string, ImageRef>();
  const visit = (node: AnyNode): void => {
    for (const ref of imagesOf(node)) found.set(pictureKey(ref), ref);
    childrenOf(node).forEach(visit);
  };
  for (const document of documents) visit(document);
  return [...found.values()];
}

/** The images of a node itself. */
function imagesOf(node: AnyNode): ImageRef[] {
  if (node.object !== 'block' && node.object !== 'inline') return [];
  switch (node.type) {
    case 'image':
    case 'inline-image':
      return [node.data.ref];
    case 'drawing':
      return node.data?.ref ? [node.data.ref] : [];
    case 'table':
      // Covers of cards are among the cells.
      return readTable(node).rows.flatMap(({ cells }) =>
        cells.flatMap(([, cell]) => (cell.type === 'image' ? [cell.image.ref] : [])),
      );
    default:
      return [];
  }
}
