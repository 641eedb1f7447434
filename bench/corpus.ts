import { drawWord, randomFrom, vocabulary, type Random } from './vocabulary.ts';

/** Printed above the figures, which depend on it. */
export const CORPUS = `\
Content: generated pages of 3.3 kB Markdown (4 kB where one page is read), five sections each, with paragraphs, a list, a
code block and two links; 5,000 distinct words, the n-th used 1/n as often as the first (Zipf). Pages from the 1,001st on
repeat the first ones with other titles and one other sentence. An edit replaces a sentence in the middle of a page. In
spaces of 100 and of 10000 pages, edits are spread over all pages, and reads over a hundred. 8 deep: each page has about
two children. A query for a known page has three words of its paragraphs, none of its title, each on at most every tenth
page. Lists of links: 10,000 short pages, each with four links to others and one URL. OpenAPI: 1,000
operations with four parameters and a schema of twelve properties, 5 MB, one page each.`;

export interface PageText {
  readonly title: string;
  readonly markdown: string;
  /** The distinct words of its paragraphs, in lower case. */
  readonly words: readonly string[];
}

const SECTIONS = 5;
const LIST_IN = 1;
const CODE_IN = 2;
const LINKS_IN = new Set([0, 3]);
const DEFAULT_BYTES = 3300;
const DISTINCT_PAGES = 1000;

/** The n-th page, deterministic; about `bytes` long. */
export function makePage(n: number, bytes = DEFAULT_BYTES): PageText {
  const random = randomFrom(n + 1);
  const words = new Set<string>();
  const nextWord = () => {
    const word = drawWord(random);
    words.add(word);
    return word;
  };
  const sections: string[] = [];
  for (let i = 0, length = 0; i < SECTIONS; i++) {
    const section = sectionOf(i, (bytes * (i + 1)) / SECTIONS - length, random, nextWord);
    length += section.length + 2;
    sections.push(section);
  }
  return { title: titleOf(n), markdown: `${sections.join('\n\n')}\n`, words: [...words] };
}

function sectionOf(index: number, bytes: number, random: Random, nextWord: () => string): string {
  const parts = [`## ${capitalize(drawWord(random))} ${drawWord(random)}`];
  if (LINKS_IN.has(index)) parts.push(linkSentence(random));
  if (index === LIST_IN) parts.push(listOf(random, nextWord));
  if (index === CODE_IN) parts.push(codeOf(random));
  let left = bytes - parts.join('\n\n').length;
  for (let paragraph = ''; left > 0; paragraph = '') {
    while (left > 0 && paragraph.length < 400) {
      const added = sentence(Math.min(random.below(10) + 8, left / 6), nextWord);
      paragraph += paragraph ? ` ${added}` : added;
      left -= added.length + 1;
    }
    parts.push(paragraph);
  }
  return parts.join('\n\n');
}

function sentence(length: number, nextWord: () => string): string {
  let text = capitalize(nextWord());
  for (let i = 1; i < length; i++) text += (i % 7 === 6 ? ', ' : ' ') + nextWord();
  return `${text}.`;
}

const linkSentence = (random: Random): string =>
  `See [${drawWord(random)} ${drawWord(random)}](https://example.com/${drawWord(random)}).`;

const listOf = (random: Random, nextWord: () => string): string =>
  Array.from({ length: 4 }, () => `- ${sentence(4 + random.below(4), nextWord)}`).join('\n');

const codeOf = (random: Random): string =>
  ['```js', `const ${drawWord(random)} = ${drawWord(random)}(${random.below(1000)});`, '```'].join('\n');

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Three words that are neither the most common nor the rarest. */
function titleOf(n: number): string {
  const random = randomFrom(-n - 2);
  const word = () => vocabulary[50 + random.below(3000)] as string;
  return `${capitalize(word())} ${word()} ${word()}`;
}

let made: readonly PageText[] = [];

/** The n-th page of a space. Beyond the first thousand, an edited copy, which is fast enough to create during a round. */
export function pageAt(n: number): PageText {
  if (made.length === 0) made = Array.from({ length: DISTINCT_PAGES }, (_each, i) => makePage(i));
  const base = made[n % DISTINCT_PAGES] as PageText;
  return n < DISTINCT_PAGES ? base : { ...base, title: titleOf(n), markdown: edited(base.markdown, n) };
}

/** The same page with a sentence in its middle that is unique to `n`. */
export function edited(markdown: string, n: number): string {
  const [first, second, third] = [n, n / vocabulary.length, n / vocabulary.length ** 2].map(
    (place) => vocabulary[Math.floor(place) % vocabulary.length] as string,
  );
  const at = markdown.indexOf('\n\n', markdown.length / 2);
  return `${markdown.slice(0, at)}\n\nThis ${first} is of ${second} and ${third}.${markdown.slice(at)}`;
}

export type Shape = 'flat' | '8 deep';
const LEVELS = 8;

/** The index of the parent of each page: each has about two children, or all are on one level. */
export function parentsIn(shape: Shape, count: number): (number | undefined)[] {
  if (shape === 'flat') return Array.from({ length: count }, () => undefined);
  const starts = Array.from({ length: LEVELS + 1 }, (_each, level) =>
    Math.max(level, Math.round((count * (2 ** level - 1)) / (2 ** LEVELS - 1))),
  );
  const parents: (number | undefined)[] = [];
  for (let level = 0; level < LEVELS; level++) {
    const [above = 0, start = 0, end = 0] = [starts[level - 1], starts[level], starts[level + 1]];
    for (let i = start; i < end; i++) {
      const among = Math.floor(((i - start) * (start - above)) / (end - start));
      parents.push(level === 0 ? undefined : above + among);
    }
  }
  return parents;
}
