import type { BlockNode, ContentRef, InlineNode, JSONDocument } from '../../markdown/index.ts';

/** What is typeset: pages in reading order, and whatever their documents point at. */
export interface Book {
  readonly title: string;
  /** A line below the title. */
  readonly subtitle?: string | undefined;
  /** As it is to be read, such as `15 November 2026`. */
  readonly date?: string | undefined;
  /** ISO 639, two or three letters; English unless said. */
  readonly language?: string | undefined;
  readonly pages: readonly BookPage[];
  /** Images that can be had, by `pictureKey`. Any other shows its alternative text. */
  readonly pictures?: ReadonlySet<string> | undefined;
  /** Documents of reusable contents, by id. */
  readonly reusableContents?: ReadonlyMap<string, JSONDocument> | undefined;
  /** What something outside of the book is called and where it is: other pages, users, spaces, files, specifications. */
  readonly describe?: ((ref: ContentRef) => Described | undefined) | undefined;
}

export interface BookPage {
  readonly id: string;
  readonly title: string;
  /** What contents and outline call it, where that is not its title. */
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
  readonly pictures: ReadonlyMap<string, PictureRef>;
}

/** A page of the book, or a part of a long one. It begins on new paper. */
export interface Sheet {
  /** The title of its page. */
  readonly name: string;
  readonly markup: string;
  /** Paths of the images in it. */
  readonly files: readonly string[];
  readonly places: readonly Place[];
}

/** What a link can lead to: its label in the markup. Those with a level are in the outline. */
export interface Place {
  readonly label: string;
  readonly title: string;
  /** 1 for pages at the top. */
  readonly level?: number;
  readonly inContents?: boolean;
}

export type PictureRef = Extract<ContentRef, { kind: 'file' | 'url' }>;

/** Under which key an image is passed: the id of its file, or its URL. */
export const pictureKey = (ref: PictureRef): string => (ref.kind === 'file' ? ref.file : ref.url);

/** A reference that an image can have, out of data that nobody checked. */
export function pictureRef(value: unknown): PictureRef | undefined {
  const ref = value as Partial<Record<'kind' | 'file' | 'url', unknown>> | null | undefined;
  if (ref?.kind === 'file' && typeof ref.file === 'string') return { kind: 'file', file: ref.file };
  if (ref?.kind === 'url' && typeof ref.url === 'string') return { kind: 'url', url: ref.url };
  return undefined;
}

type Node = BlockNode | InlineNode | { readonly object: 'text' };

/** Every image that documents show, once: what has to be fetched before a book is typeset. */
export function picturesIn(documents: Iterable<JSONDocument>): PictureRef[] {
  const found = new Map<string, PictureRef>();
  const add = (value: unknown): void => {
    const ref = pictureRef(value);
    if (ref) found.set(pictureKey(ref), ref);
  };
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.object === 'text') continue;
      if (node.type === 'image' || node.type === 'inline-image' || node.type === 'drawing')
        add(node.data?.['ref']);
      if (node.type === 'table') imagesOfCells(node).forEach(add);
      visit(node.nodes ?? []);
      for (const fragment of node.fragments ?? []) visit(fragment.nodes);
    }
  };
  for (const document of documents) visit(document.nodes);
  return [...found.values()];
}

/** Values of image columns are `{ref}`; covers of cards are among them. */
function imagesOfCells({ data }: BlockNode | InlineNode): unknown[] {
  const records = (data?.['records'] ?? {}) as Record<string, { values?: Record<string, unknown> }>;
  return Object.values(records).flatMap(({ values }) =>
    Object.values(values ?? {}).map((value) => (value as { ref?: unknown } | null)?.ref),
  );
}
