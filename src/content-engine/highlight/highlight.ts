import type { Language } from './syntax.ts';
import { languageOf } from './languages.ts';

/** Kinds that renderers distinguish: each has a style of Typst and a class of HTML, in light and dark. */
const TOKEN_KINDS = ['comment', 'string', 'number', 'name', 'keyword'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export interface Token {
  readonly kind: TokenKind | undefined;
  readonly text: string;
}

/** Longer code is not highlighted. */
const MAX_LENGTH = 100_000;

/** The tokens of each line. A comment or string over several lines is a token on each of them. */
export function highlight(lines: readonly string[], syntax: string): Token[][] {
  const source = lines.join('\n');
  const language = source.length > MAX_LENGTH ? undefined : languageOf(syntax);
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

function kindOf(match: RegExpExecArray, { keywords, ignoreCase }: Language): TokenKind | undefined {
  const word = match.groups?.['word'];
  if (word === undefined) return TOKEN_KINDS.find((kind) => match.groups?.[kind] !== undefined);
  if (keywords.has(ignoreCase ? word.toLowerCase() : word)) return 'keyword';
  // The name of a function that is called or declared.
  return match.input[match.index + word.length] === '(' ? 'name' : undefined;
}
