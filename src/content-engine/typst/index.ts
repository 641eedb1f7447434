/** A book as Typst markup. Pure: whoever compiles it needs nothing but what is returned. */
import { blocks } from './blocks.ts';
import { pictureKey, pictureRef, type Book, type BookPage, type Typeset } from './book.ts';
import { emojiText } from '../markdown/text.ts';
import { labelsOf } from './labels.ts';
import { literal, words } from './literal.ts';
import { BookTooLong, type Setting } from './setting.ts';
import { BLOCKS } from './template/blocks.ts';
import { PAGE } from './template/page.ts';

export {
  pictureKey,
  picturesIn,
  type Book,
  type BookPage,
  type Described,
  type PictureRef,
  type Typeset,
} from './book.ts';

export { BookTooLong } from './setting.ts';

/** Of the whole book: more would take the compiler many minutes, and its memory. */
const MOST_MARKUP = 32_000_000;
/** Of it, what comes from reusable contents, on one sheet. */
const MOST_INCLUDED = 4_000_000;

/** A long book takes long: `turn` lets others work, after every sheet. Throws `BookTooLong`. */
export async function typesetBook(book: Book, turn?: () => Promise<unknown>): Promise<Typeset> {
  const labels = labelsOf(book.pages);
  const files = new Map<string, Uint8Array>();
  const paths = new Map<string, string>();
  const picture = (value: unknown): string | undefined => {
    const ref = pictureRef(value);
    const key = ref && pictureKey(ref);
    const bytes = key === undefined ? undefined : book.pictures?.get(key);
    if (key === undefined || !bytes) return undefined;
    const path = paths.get(key) ?? `/picture/${paths.size}`;
    paths.set(key, path);
    files.set(path, bytes);
    return path;
  };
  const sectionsInContents = book.pages.length === 1;
  const common = { book, labels, sectionsInContents, mark: '', depth: 0, within: [], blocks, picture };
  const sheets: string[] = [];
  let length = 0;
  for (const pages of sheetsOf(book.pages)) {
    const room = { included: MOST_INCLUDED };
    const parts = pages.map((page) => part({ ...common, page, room }));
    const last = pages.at(-1) as BookPage;
    const sheet = `#sheet([${words(short(last.title))}], <${labels.ofPage(last.id)}>)[\n${parts.join('\n')}\n]`;
    if ((length += sheet.length) > MOST_MARKUP) throw new BookTooLong();
    sheets.push(sheet);
    await turn?.();
  }
  return { main: [head(book, labels.unplaced()), PAGE, BLOCKS, front(book), ...sheets].join('\n'), files };
}

/** Groups stand above the page that follows them, not on a sheet of their own. */
function sheetsOf(pages: readonly BookPage[]): BookPage[][] {
  const sheets: BookPage[][] = [[]];
  for (const page of pages) {
    (sheets.at(-1) as BookPage[]).push(page);
    if (page.document) sheets.push([]);
  }
  return sheets.filter((sheet) => sheet.length > 0);
}

function part(setting: Setting): string {
  const { page, labels } = setting;
  const title = words(oneLine(`${emojiText(page.emoji ?? '')} ${page.title}`));
  const heading = page.document ? 'page-title' : 'group-title';
  const label = labels.place(page);
  const target = label === undefined ? 'none' : `<${label}>`;
  const parts = [`#${heading}(${page.depth + 1}, ${target})[${title}]`];
  if (page.document && page.description) parts.push(`#page-description[${words(page.description)}]`);
  if (page.document) parts.push(setting.blocks(setting, page.document.nodes));
  return parts.join('\n');
}

/** Two of them stand at the head of a sheet, side by side. */
function short(title: string): string {
  const letters = Array.from(oneLine(title));
  return letters.length <= 50 ? letters.join('') : `${letters.slice(0, 49).join('').trimEnd()}…`;
}

const oneLine = (title: string): string => title.replace(/\s+/g, ' ').trim();

/** Values that the template is made with. */
function head({ title, language }: Book, unplaced: readonly string[]): string {
  const list = (names: readonly string[]): string =>
    `(${names.map((name) => `${literal(name)},`).join(' ')})`;
  const known = /^[a-z]{2,3}$/.test(language ?? '') ? (language as string) : 'en';
  return [
    `#let book-title = ${literal(oneLine(title))}`,
    `#let short-title = ${literal(short(title))}`,
    `#let language = ${literal(known)}`,
    `#let contents-title = ${literal('Contents')}`,
    `#let unplaced = ${list(unplaced)}`,
    `#let fallbacks = ${list(FALLBACKS)}`,
    '#set document(title: book-title, date: none)',
  ].join('\n');
}

/** Asked first where the fonts of the book have no letter; any other that is installed comes after these. */
const FALLBACKS: readonly string[] = ['Noto Sans CJK SC', 'Noto Color Emoji', 'DejaVu Sans'];

function front({ subtitle, date, pages }: Book): string {
  const content = (text: string | undefined): string => (text ? `[${words(text)}]` : 'none');
  const contents = pages.length === 0 ? '' : '#contents()';
  return `#title-page(${content(subtitle)}, ${content(date)})\n${contents}`;
}
