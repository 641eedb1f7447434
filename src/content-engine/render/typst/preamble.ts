import { plainText } from '../../document/index.ts';
import type { Book, Typeset } from './book.ts';
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

/** Enough text to tell which script a book is written in. */
const SAMPLE = 20_000;

/**
 * The declared language, in the form that Typst knows. Without one, a language of the script that most letters are in:
 * it decides the direction of the text.
 */
function languageOf({ language, title, pages }: Book): string {
  if (language !== undefined && /^[a-z]{2,3}$/.test(language)) return language;
  const texts = [title];
  let length = 0;
  for (const page of pages) {
    if (length > SAMPLE) break;
    const text = page.document ? plainText(page.document).slice(0, SAMPLE) : '';
    texts.push(page.title, text);
    length += text.length;
  }
  const sample = texts.join('\n');
  const count = (letter: RegExp): number => sample.match(letter)?.length ?? 0;
  const [all, arabic, hebrew] = [
    count(/\p{L}/gu),
    count(/\p{Script=Arabic}/gu),
    count(/\p{Script=Hebrew}/gu),
  ];
  if (arabic + hebrew <= all / 2) return 'en';
  return arabic > hebrew ? 'ar' : 'he';
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
