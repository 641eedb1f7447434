/** A book as Typst markup. Pure: the compiler needs nothing but what is returned. */
import { blocks } from './blocks/blocks.ts';
import type { ImageRef } from '../../document/index.ts';
import { pictureKey, type Book, type BookPage, type Typeset } from './book.ts';
import { labelsOf } from './labels.ts';
import { preambleOf, titlePageOf } from './preamble.ts';
import { BookTooLong } from './context.ts';
import { sheetsOf } from './sheets.ts';

export { frontOf } from './preamble.ts';
export { pictureKey, picturesIn, type Book, type BookPage, type Typeset } from './book.ts';

export { BookTooLong } from './context.ts';

/** The limit of a whole book: more would take the compiler many minutes. */
const MAX_MARKUP = 32_000_000;

/** Throws `BookTooLong`. */
export function typesetBook(book: Book): Typeset {
  const labels = labelsOf(book.pages);
  const pictures = new Map<string, ImageRef>();
  const paths = new Map<string, string>();
  const picture = (ref: ImageRef): string | undefined => {
    const key = pictureKey(ref);
    if (!book.pictures?.has(key)) return undefined;
    const path = paths.get(key) ?? `/picture/${paths.size}`;
    paths.set(key, path);
    pictures.set(path, ref);
    return path;
  };
  const sectionsInContents = book.pages.length === 1;
  const common = { book, labels, sectionsInContents, mark: '', depth: 0, within: [], blocks, picture };
  let length = 0;
  const sheets = together(book.pages).flatMap((pages) => {
    const made = sheetsOf(common, pages);
    for (const { markup } of made) length += markup.length;
    if (length > MAX_MARKUP) throw new BookTooLong();
    return made;
  });
  return { preamble: preambleOf(book, labels.unplaced()), titlePage: titlePageOf(book), sheets, pictures };
}

/** Groups share the sheet of the page that follows them. */
function together(pages: readonly BookPage[]): BookPage[][] {
  const sheets: BookPage[][] = [[]];
  for (const page of pages) {
    sheets.at(-1)?.push(page);
    if (page.document) sheets.push([]);
  }
  return sheets.filter((sheet) => sheet.length > 0);
}
