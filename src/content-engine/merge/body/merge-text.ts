import { pairUp, type ComparisonBudget, type Pairs } from '../../diff/index.ts';
import { mapVersions, trivialMerge, type Versions } from '../versions.ts';

/** Each side must retain at least one in so many words of the ancestor: otherwise equal words are coincidence. */
const MAX_WORDS_PER_UNCHANGED_WORD = 2;

/**
 * Merges text by words: an unchanged word must lie between the edits of the two sides. Code, formulas, tags and
 * addresses inside the text are one word each.
 */
export function mergeWords(texts: Versions<string>, budget: ComparisonBudget): string | undefined {
  const words = mapVersions(texts, wordsOf);
  const hasEnoughInCommon = (pairs: Pairs) =>
    pairs.length * MAX_WORDS_PER_UNCHANGED_WORD >= Math.max(words.ancestor.length, 1);
  const inPrimary = pairUp(words.ancestor, words.primary, budget);
  if (!hasEnoughInCommon(inPrimary)) return undefined;
  const inProposed = pairUp(words.ancestor, words.proposed, budget);
  if (!hasEnoughInCommon(inProposed)) return undefined;
  return mergeAligned(words, inPrimary, inProposed)?.join('');
}

/** Merges text by lines: an unchanged line must lie between the edits of the two sides. */
export const mergeLines = (texts: Versions<string>, budget: ComparisonBudget): string | undefined =>
  mergeTokens(
    mapVersions(texts, (text) => text.split('\n')),
    budget,
  )?.join('\n');

const WORD =
  /\s*(?:`[^`]{0,500}`|\$\$[^$]{0,500}\$\$|\]\([^()]{0,500}\)|<[^<>]{0,500}>|[^\s。！？；，、])+[。！？；，、]*|\s*[。！？；，、]+|\s+/guy;

const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

type Tokens = readonly string[];

/** Undefined: both sides changed the same place in different ways. */
export const mergeTokens = (tokens: Versions<Tokens>, budget: ComparisonBudget): Tokens | undefined =>
  mergeAligned(
    tokens,
    pairUp(tokens.ancestor, tokens.primary, budget),
    pairUp(tokens.ancestor, tokens.proposed, budget),
  );

function mergeAligned(
  { ancestor, primary, proposed }: Versions<Tokens>,
  primaryPairs: Pairs,
  proposedPairs: Pairs,
): Tokens | undefined {
  const inPrimary = new Map(primaryPairs);
  const inProposed = new Map(proposedPairs);
  const merged: string[] = [];
  let [a, p, q] = [0, 0, 0];
  for (let next = 0; next <= ancestor.length; next++) {
    const isEnd = next === ancestor.length;
    const nextP = isEnd ? primary.length : inPrimary.get(next);
    const nextQ = isEnd ? proposed.length : inProposed.get(next);
    if (nextP === undefined || nextQ === undefined) continue;
    const between = trivialMerge({
      ancestor: ancestor.slice(a, next),
      primary: primary.slice(p, nextP),
      proposed: proposed.slice(q, nextQ),
    });
    if (between === undefined) return undefined;
    for (const token of between.value) merged.push(token);
    if (!isEnd) merged.push(ancestor[next] ?? '');
    [a, p, q] = [next + 1, nextP + 1, nextQ + 1];
  }
  return merged;
}
