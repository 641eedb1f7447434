import { BODY_BUDGET, ComparisonBudget, pairUp } from '../../diff/index.ts';

/** Three versions of a block: written from the old node, as in the source, and written from the new node. */
export interface Texts {
  readonly ancestor: string;
  readonly source: string;
  readonly written: string;
}

/** A change of the ancestor: `text` replaces its words from `from` to `to`. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Words = readonly string[];

const WORD = /\\[!-~]|&#?\w{1,31};|[\p{L}\p{N}]+|([#*_~`$=+-])\1*|[^]/gu;
const WORD_OR_TAG = new RegExp(`<!--[^<>]{0,500}-->|<[^<>\n]{0,500}>|${WORD.source}`, 'gu');

/** From coarse to fine: lines and cells; words, where a tag is one of them; words and signs. */
const CUTS: readonly ((text: string) => Words)[] = [
  (text) => text.split(/(?<=\n|<\/t[dhr]>)/i),
  (text) => text.match(WORD_OR_TAG) ?? [],
  (text) => text.match(WORD) ?? [],
];

/** Longer texts without a common line are not merged by words: that takes too long. */
const LONGEST = 500_000;

/**
 * Three-way merge of a block. A difference between ancestor and source is the spelling of the author, and stays; a
 * difference between ancestor and written text is the edit. Where both overlap, they are merged again by finer units; at
 * the finest, the edit is taken, followed by what the author had inserted (a comment, a tag).
 */
export function mergeText(texts: Texts, budget = new ComparisonBudget(BODY_BUDGET), cut = 0): string {
  const { ancestor, source, written } = texts;
  if (ancestor === written || source === written) return source;
  if (ancestor === source) return written;
  const wordsOf = CUTS[cut] ?? ((text: string): Words => [text]);
  const words = wordsOf(ancestor);
  const spelled = changesOf(words, wordsOf(source), budget);
  const meant = changesOf(words, wordsOf(written), budget);
  const out: string[] = [];
  let [at, s, m] = [0, 0, 0];
  const take = ({ from, to, text }: Change): void => {
    out.push(textOf(words, at, from), text);
    at = to;
  };
  for (;;) {
    const [spelling, edit] = [spelled[s], meant[m]];
    if (!spelling && !edit) break;
    if (spelling && (!edit || isBefore(spelling, edit))) {
      take(spelling);
      s++;
    } else if (edit && (!spelling || isBefore(edit, spelling))) {
      take(edit);
      m++;
    } else {
      const [endS, endM] = endOfOverlap(spelled, s, meant, m);
      const both = overlap(words, spelled.slice(s, endS), meant.slice(m, endM));
      const isLong = both.texts.source.length > LONGEST;
      // Inserted tags must stay whole: finer units would take them apart.
      const isLast = isLong || cut + 1 === CUTS.length || (cut > 0 && both.inserted !== '');
      take({
        ...both,
        text: isLast ? both.texts.written + both.inserted : mergeText(both.texts, budget, cut + 1),
      });
      [s, m] = [endS, endM];
    }
  }
  out.push(textOf(words, at, words.length));
  return out.join('');
}

/** The ancestor with the comments and tags of the source, which have no other spelling. */
export function withInserted(
  ancestor: string,
  source: string,
  budget = new ComparisonBudget(BODY_BUDGET),
): string {
  const words = ancestor.match(WORD_OR_TAG) ?? [];
  const inserted = changesOf(words, source.match(WORD_OR_TAG) ?? [], budget).filter(
    (change) => isInsertion(change) && change.text.includes('<'),
  );
  return changed(words, 0, words.length, inserted);
}

function changesOf(words: Words, other: Words, budget: ComparisonBudget): Change[] {
  const changes: Change[] = [];
  let [w, o] = [0, 0];
  for (const [nextW, nextO] of [...pairUp(words, other, budget), [words.length, other.length] as const]) {
    if (nextW > w || nextO > o) changes.push({ from: w, to: nextW, text: textOf(other, o, nextO) });
    [w, o] = [nextW + 1, nextO + 1];
  }
  return changes;
}

const textOf = (words: Words, from: number, to: number): string => words.slice(from, to).join('');

const isInsertion = ({ from, to }: Change): boolean => from === to;

/** Two insertions at one place overlap: neither is before the other. */
const isBefore = (one: Change, other: Change): boolean =>
  one.to < other.from || (one.to === other.from && !(isInsertion(one) && isInsertion(other)));

/** The end of overlapping changes: the index after the last one on each side. */
function endOfOverlap(
  spelled: readonly Change[],
  s: number,
  meant: readonly Change[],
  m: number,
): [number, number] {
  let [endS, endM] = [s + 1, m + 1];
  let reach = Math.max(spelled[s]?.to ?? 0, meant[m]?.to ?? 0);
  for (;;) {
    const [nextS, nextM] = [spelled[endS], meant[endM]];
    if (nextS && nextS.from < reach) {
      reach = Math.max(reach, nextS.to);
      endS++;
    } else if (nextM && nextM.from < reach) {
      reach = Math.max(reach, nextM.to);
      endM++;
    } else return [endS, endM];
  }
}

/** The three texts where changes overlap. */
function overlap(words: Words, spelled: readonly Change[], meant: readonly Change[]) {
  const from = Math.min(spelled[0]?.from ?? 0, meant[0]?.from ?? 0);
  const to = Math.max(spelled.at(-1)?.to ?? 0, meant.at(-1)?.to ?? 0);
  const texts: Texts = {
    ancestor: textOf(words, from, to),
    source: changed(words, from, to, spelled),
    written: changed(words, from, to, meant),
  };
  const inserted = spelled.filter((change) => isInsertion(change) && change.text.trim() !== '');
  return { from, to, texts, inserted: inserted.map(({ text }) => text).join('') };
}

function changed(words: Words, from: number, to: number, changes: readonly Change[]): string {
  const out: string[] = [];
  let at = from;
  for (const change of changes) {
    out.push(textOf(words, at, change.from), change.text);
    at = change.to;
  }
  out.push(textOf(words, at, to));
  return out.join('');
}
