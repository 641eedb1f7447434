import { languageOf, type Language } from './languages.ts';

/**
 * Colours for code. The compiler brings grammars of its own, but with them a book takes five times as long: this knows
 * comments, strings, numbers, names and keywords, which is what a reader sees.
 */
export type Kind = 'keyword' | 'string' | 'comment' | 'number' | 'name';

export interface Token {
  readonly kind: Kind | undefined;
  readonly text: string;
}

/** Nobody reads more than this in colours. */
const LONGEST = 100_000;

/** The tokens of each line. A comment or string over several lines is one on each of them. */
export function highlight(lines: readonly string[], syntax: string): Token[][] {
  const source = lines.join('\n');
  const language = source.length > LONGEST ? undefined : languageOf(syntax);
  if (!language) return lines.map((text) => (text === '' ? [] : [{ kind: undefined, text }]));
  const result: Token[][] = [[]];
  for (const { kind, text } of tokens(source, language)) {
    text.split('\n').forEach((part, index) => {
      if (index > 0) result.push([]);
      if (part !== '') (result.at(-1) as Token[]).push({ kind, text: part });
    });
  }
  return result;
}

function tokens(text: string, language: Language): Token[] {
  const found: Token[] = [];
  let at = 0;
  const plain = (end: number): void => {
    if (end > at) found.push({ kind: undefined, text: text.slice(at, end) });
  };
  for (const match of text.matchAll(language.pattern)) {
    const kind = kindOf(match, language);
    if (kind === undefined) continue;
    plain(match.index);
    found.push({ kind, text: match[0] });
    at = match.index + match[0].length;
  }
  plain(text.length);
  return found;
}

function kindOf({ groups = {} }: RegExpMatchArray, { keywords, ignoreCase }: Language): Kind | undefined {
  if (groups['word'] === undefined) {
    for (const kind of ['comment', 'string', 'number', 'name', 'keyword'] as const)
      if (groups[kind] !== undefined) return kind;
    return undefined;
  }
  return keywords.has(ignoreCase ? groups['word'].toLowerCase() : groups['word']) ? 'keyword' : undefined;
}
