import { pairUp, type ComparisonBudget, type Pairs } from '../../diff/index.ts';
import { agreed, mapThree, type Three } from '../versions.ts';

/** Of so many words of the ancestor, each side must have kept at least one: else words are alike by chance. */
const KEPT = 2;

/**
 * Text merged by words: something that neither side touched must stand between what they did. Code, formulas, tags and
 * addresses inside the text are one word each.
 */
export function mergeWords(texts: Three<string>, budget: ComparisonBudget): string | undefined {
  const words = mapThree(texts, wordsOf);
  const isKept = (pairs: Pairs) => pairs.length * KEPT >= Math.max(words.ancestor.length, 1);
  const inPrimary = pairUp(words.ancestor, words.primary, budget);
  if (!isKept(inPrimary)) return undefined;
  const inProposed = pairUp(words.ancestor, words.proposed, budget);
  if (!isKept(inProposed)) return undefined;
  return mergePaired(words, inPrimary, inProposed)?.join('');
}

/** Text merged by lines: a line that neither side touched must stand between what they did. */
export const mergeLines = (texts: Three<string>, budget: ComparisonBudget): string | undefined =>
  mergeTokens(
    mapThree(texts, (text) => text.split('\n')),
    budget,
  )?.join('\n');

const WORD =
  /\s*(?:`[^`]{0,500}`|\$\$[^$]{0,500}\$\$|\]\([^()]{0,500}\)|<[^<>]{0,500}>|[^\s。！？；，、])+[。！？；，、]*|\s*[。！？；，、]+|\s+$/gu;

const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

type Tokens = readonly string[];

/** Undefined where both sides changed one place, each in its own way. */
export const mergeTokens = (tokens: Three<Tokens>, budget: ComparisonBudget): Tokens | undefined =>
  mergePaired(
    tokens,
    pairUp(tokens.ancestor, tokens.primary, budget),
    pairUp(tokens.ancestor, tokens.proposed, budget),
  );

function mergePaired(
  { ancestor, primary, proposed }: Three<Tokens>,
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
    const between = agreed({
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
