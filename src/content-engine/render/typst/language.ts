import { plainText } from '../../document/index.ts';
import type { Book } from './book.ts';

/** Enough text to tell which script a book is written in. */
const SAMPLE = 20_000;

/**
 * The declared language, in the form that Typst knows. Without one, a language of the script that most letters are in:
 * it decides the direction of the text.
 */
export function languageOf({ language, title, pages }: Book): string {
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
