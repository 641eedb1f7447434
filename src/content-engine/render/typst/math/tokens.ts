/**
 * The tokens of LaTeX math. A command for text is one token together with its argument, because text preserves its spaces.
 * `\\[6pt]` is one token as well.
 */
const TEXT_COMMANDS = 'text|textrm|textnormal|textup|textbf|textit|texttt|textsf|mbox|operatorname\\*?';
const LENGTH = '-?(?:\\d+(?:\\.\\d+)?|\\.\\d+)\\s*(?:pt|em|ex|mm|cm|in)';
const TOKEN = new RegExp(
  [
    `\\\\(?:${TEXT_COMMANDS})\\s*\\{(?:[^{}\\\\]|\\\\[^A-Za-z])*\\}`,
    `\\\\\\\\(?:\\*?\\s*\\[${LENGTH}\\])?`,
    '\\\\(?:[A-Za-z]+\\*?|[^])',
    '%[^\\n]*',
    '\\s+',
    '\\d+(?:\\.\\d+)?',
    '[^]',
  ].join('|'),
  'gu',
);
const TEXT = new RegExp(`^\\\\(${TEXT_COMMANDS})\\s*\\{([^]*)\\}$`);

export const LINE_BREAK = '\\\\';

export const tokenize = (latex: string): string[] =>
  (latex.match(TOKEN) ?? [])
    .filter((token) => !/^(?:\s|%)/.test(token))
    .map((token) => (token.startsWith(LINE_BREAK) ? LINE_BREAK : token));

/** The command and the argument of a token that is text, or undefined. */
export function textIn(token: string): { command: string; text: string } | undefined {
  const [, command, text] = TEXT.exec(token) ?? [];
  return command === undefined || text === undefined ? undefined : { command, text };
}

/** Text without its escapes: `\$` is a dollar, `\,` a space. */
export const unescapeText = (text: string): string =>
  text.replace(/\\([^])/g, (_escape, char: string) => (/[,;: ]/.test(char) ? ' ' : char === '!' ? '' : char));
