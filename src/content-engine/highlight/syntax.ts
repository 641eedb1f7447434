/** How a language is recognised: one pattern of named groups, and the words that are keywords. */
export interface Language {
  readonly pattern: RegExp;
  readonly keywords: ReadonlySet<string>;
  readonly ignoreCase: boolean;
}

/*
 * Parts of patterns. Each matches in linear time: no part can match the same text in two ways, and a comment or string
 * without an end extends to the end of the text or line, so that no position is scanned again.
 */
export const C_COMMENT = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
export const HASH_COMMENT = String.raw`(?<![^\s;({])#[^\n]*`;
export const SQL_COMMENT = String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
export const XML_COMMENT = String.raw`<!--[^]*?(?:-->|(?![^]))`;
export const DOUBLE = String.raw`"(?:\\[^]|[^"\\\n])*"?`;
export const SINGLE = String.raw`'(?:\\[^]|[^'\\\n])*'?`;
export const TICKS = String.raw`\x60(?:\\[^]|[^\x60\\])*\x60?`;
export const TRIPLE = String.raw`"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))`;
const NUMBER = String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)\b`;
const WORD = String.raw`[A-Za-z_$][\w$]*`;

interface Parts {
  readonly comment?: string;
  readonly string?: string;
  /** Keys, variables, tags. */
  readonly name?: string;
  /** Keywords that are not plain words. */
  readonly keyword?: string;
  readonly words?: string;
  readonly ignoreCase?: boolean;
}

export function language({
  comment,
  string,
  name,
  keyword,
  words = '',
  ignoreCase = false,
}: Parts): Language {
  const groups = { comment, name, string, keyword, number: NUMBER, word: WORD };
  const source = Object.entries(groups)
    .filter(([, pattern]) => pattern !== undefined)
    .map(([group, pattern]) => `(?<${group}>${pattern})`)
    .join('|');
  return { pattern: new RegExp(source, 'gm'), keywords: new Set(words.split(' ')), ignoreCase };
}
