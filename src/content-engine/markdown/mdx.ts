/** Pages of MDX: Markdown with code of a program, which is never run. */

export const isMdx = (path: string): boolean => /\.mdx$/i.test(path);

const IMPORT = /import\s(?:[^'";#<]{0,1000}?\sfrom\s+)?["'][^'"\r\n]{1,300}["'];?[ \t]*(?:\r\n?|\n|$)/y;
const BLANK = /(?:[ \t]*(?:\r\n?|\n))+/y;
const MAX_IMPORTS = 4 * 1024;

/** The length of the statements that a text begins with, up to the blank line after them, and with blank lines before them. */
export function importsAt(text: string): number {
  let end = 0;
  for (let at = matchAt(BLANK, text, 0); ; at = end + matchAt(BLANK, text, end)) {
    const length = matchAt(IMPORT, text, at);
    if (length === 0 || at + length > MAX_IMPORTS) return end;
    end = at + length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MAX_NAMES = 20;
const MAX_LINE = 10_000;

/** Code of a page that only a program could show: its names, and the line of the first. */
export interface MdxCode {
  readonly names: readonly string[];
  readonly line: number;
}

/** Imports and exports, components and expressions outside of code. Undefined: it is plain Markdown. */
export function mdxIn(text: string): MdxCode | undefined {
  const names = new Set<string>();
  let first = 0;
  let fence = '';
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else {
      if (mark.startsWith(fence)) fence = '';
      continue;
    }
    if (fence !== '') continue;
    for (const name of namesIn(line.slice(0, MAX_LINE))) {
      if (names.size < MAX_NAMES) names.add(name);
      first ||= index + 1;
    }
    if (names.size >= MAX_NAMES) break;
  }
  return first === 0 ? undefined : { names: [...names], line: first };
}

/** Tags of the flavour are braces, too: `{% hint %}`, `{{ x }}`, `{#anchor}`. */
function namesIn(line: string): string[] {
  const [statement] = /^(?:import|export)(?=\s)/.exec(line) ?? [];
  if (statement !== undefined) return [statement];
  const prose = line.replace(/`[^`]*`/g, '');
  const components = Array.from(prose.matchAll(/<([A-Z][\w.]{0,60})/g), ([, name]) => `<${name}>`);
  const text = prose.replace(/<[A-Za-z/][^<>]*>/g, '');
  const expressions = Array.from(
    text.matchAll(/(?<![\\{])\{(?![%{#])([^{}]{1,40})/g),
    ([, code = '']) => `{${code.trim()}}`,
  );
  return [...components, ...expressions];
}
