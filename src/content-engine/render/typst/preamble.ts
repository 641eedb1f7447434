import type { Book, Typeset } from './book.ts';
import { languageOf } from './language.ts';
import { literal, oneLine, short, words } from './literal.ts';
import { BLOCKS } from './template/blocks.ts';
import { PAGE } from './template/page.ts';

/** The head of every part of a book: its values, and its template. */
export function preambleOf(book: Book, unplaced: readonly string[]): string {
  const { title } = book;
  return [
    `#let book-title = ${literal(oneLine(title))}`,
    `#let short-title = ${literal(short(title))}`,
    `#let language = ${literal(languageOf(book))}`,
    `#let contents-title = ${literal('Contents')}`,
    `#let unplaced = (${unplaced.map((name) => `${literal(name)},`).join(' ')})`,
    '#set document(title: book-title, date: none)',
    PAGE,
    BLOCKS,
  ].join('\n');
}

export function titlePageOf({ subtitle, date }: Book): string {
  const content = (text: string | undefined): string => (text ? `[${words(text)}]` : 'none');
  return `#title-page(${content(subtitle)}, ${content(date)})`;
}

/** Deeper headings are in the outline only. */
const DEEPEST_IN_CONTENTS = 5;

/** Title page and contents. They are made last, when the numbers of pages are known. */
export function frontOf(
  { titlePage, sheets }: Typeset,
  numberOf: (label: string) => number | undefined,
): string {
  const rows = sheets.flatMap(({ places }) =>
    places.flatMap(({ label, level = 1, title, inContents }) => {
      const number = inContents && level <= DEEPEST_IN_CONTENTS ? numberOf(label) : undefined;
      if (number === undefined) return [];
      return [`(${level}, ${literal(label)}, [${words(oneLine(title))}], ${literal(String(number))}),`];
    }),
  );
  return rows.length === 0 ? titlePage : `${titlePage}\n#contents((\n${rows.join('\n')}\n))`;
}
