import { fold, isAscii } from './fold.ts';

/**
 * What a word is to the text around it. `pair`: two neighbouring characters of a script that has no spaces; `tail`: the
 * last character of such a run; `single`: a run of one character.
 */
export type WordKind = 'word' | 'pair' | 'tail' | 'single';

type Visit = (word: string, kind: WordKind, end: number) => void;

/** Longer ones are cut, in pages and in queries alike. */
const LONGEST_WORD = 64;

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Marks that composition left over, and what Hebrew and Arabic are mostly written without. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640]/g;

/** Whether words are not written as they are looked up, letter by letter, even folded. */
export const isMarked = (text: string): boolean => text.includes('ß') || text.search(MARKS) >= 0;

/** Scripts whose sentences have no spaces between words, or whose words carry their grammar with them (Hangul). */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('');
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/**
 * The words of a composed text as they are looked up, in their order, each with where it ends. Where no spaces tell
 * words apart, every two neighbours are one: any word inside a sentence is then a sequence of such pairs.
 */
export function eachWord(text: string, visit: Visit): void {
  const folded = fold(text);
  const visitSpaced = (token: string, start: number) => {
    const word = token.replaceAll(MARKS, '').replaceAll('ß', 'ss');
    if (word) visit(cut(word), 'word', start + token.length);
  };
  if (isAscii(folded)) {
    visitAscii(folded, visit);
    return;
  }
  for (const { 0: token, index } of folded.matchAll(WORDS)) {
    if (!HAS_UNSPACED.test(token)) visitSpaced(token, index);
    else
      for (const { 0: run, index: at } of token.matchAll(RUNS)) {
        if (HAS_UNSPACED.test(run)) visitPairs(run, index + at, visit);
        else visitSpaced(run, index + at);
      }
  }
}

/** Most text there is: read by hand, which takes a third of the time of an expression. */
function visitAscii(folded: string, visit: Visit): void {
  let start = -1;
  for (let at = 0; at <= folded.length; at++) {
    const code = at < folded.length ? folded.charCodeAt(at) : 0;
    const isInWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (isInWord && start < 0) start = at;
    else if (!isInWord && start >= 0) {
      visit(cut(folded.slice(start, at)), 'word', at);
      start = -1;
    }
  }
}

function visitPairs(run: string, start: number, visit: Visit): void {
  const characters = Array.from(run);
  let end = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? '';
    end += character.length;
    const kind = next ? 'pair' : characters.length > 1 ? 'tail' : 'single';
    visit(character + next, kind, end + next.length);
  }
}

/** Never through the middle of a character. */
const cut = (word: string): string =>
  word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, '');
