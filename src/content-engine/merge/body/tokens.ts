import { agreed, mapThree, type Three } from '../three.ts';
import { pairsOf } from './pairs.ts';

/** Of so many words of the ancestor, each side must have kept at least one: else words are alike by chance. */
const KEPT = 2;

/**
 * Text merged by words: something that neither side touched must stand between what they did. Code, formulas, tags and
 * addresses inside the text are one word each.
 */
export function mergeWords(texts: Three<string>): string | undefined {
  const words = mapThree(texts, wordsOf);
  const isKept = (side: readonly string[]) =>
    pairsOf(words.ancestor, side).length * KEPT >= Math.max(words.ancestor.length, 1);
  if (!isKept(words.primary) || !isKept(words.proposed)) return undefined;
  return mergeTokens(words)?.join('');
}

/** Text merged by lines: a line that neither side touched must stand between what they did. */
export const mergeLines = (texts: Three<string>): string | undefined =>
  mergeTokens(mapThree(texts, (text) => text.split('\n')))?.join('\n');

const WORD =
  /\s*(?:`[^`]{0,500}`|\$\$[^$]{0,500}\$\$|\]\([^()]{0,500}\)|<[^<>]{0,500}>|[^\s。！？；，、])+[。！？；，、]*|\s*[。！？；，、]+|\s+$/gu;

const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

type Tokens = readonly string[];

/** Undefined where both sides changed one place, each in its own way. */
export function mergeTokens(tokens: Three<Tokens>): Tokens | undefined {
  const { ancestor, primary, proposed } = tokens;
  const inPrimary = new Map(pairsOf(ancestor, primary));
  const inProposed = new Map(pairsOf(ancestor, proposed));
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
