import { fieldLines, isFrontmatter, readFrontmatter, type Frontmatter } from './frontmatter.ts';
import { parse } from './parse.ts';
import { ownText } from '../document/index.ts';
import { isLineEnd, trimStart } from './scan/syntax/chars.ts';
import type { Warning } from './scan/token.ts';

/** The three parts of a source file: `frontmatter + title + body` are its bytes. */
export interface Source {
  /** The frontmatter with its fences, and the byte order mark if there is one. May be empty. */
  readonly frontmatter: string;
  /** The line of the first `# …`, with blank lines and comments before it and its line end. Empty when the body begins otherwise. */
  readonly title: string;
  readonly body: string;
  readonly fields: Frontmatter;
  /** The text of the title line. */
  readonly titleText: string | undefined;
  readonly warnings: readonly Warning[];
}

const FRONTMATTER =
  /^\uFEFF?---[ \t]*(?:\r\n?|\n)(?:[\s\S]*?(?:\r\n?|\n))??(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/;
const TITLE_LINE = /#(?:[ \t][^\r\n]*|(?=[\r\n]|$))(?:\r\n?|\n|$)/y;

/**
 * Limit of frontmatter and title, which are read synchronously. Longer frontmatter, and a longer first heading, with what is
 * before it, are text of the body.
 */
const MAX_FRONTMATTER = 64 * 1024;
const MAX_TITLE_LINE = 4 * 1024;

/** Comments on lines of their own: licences, and notes to those who edit the file. */
const COMMENTS = /^(?:[ \t\r\n]*<!--(?:(?!-->)[^])*-->[ \t]*(?=[\r\n]))+/;

/** The range of the title line; empty when the first line that is neither blank nor a comment is no title. */
function titleIn(text: string): { start: number; end: number } {
  const comments = COMMENTS.exec(text.slice(0, MAX_TITLE_LINE))?.[0].length ?? 0;
  const start = trimStart(text, comments, text.length);
  TITLE_LINE.lastIndex = start;
  const indented = start > 0 && !isLineEnd(text.charCodeAt(start - 1));
  const line = indented ? undefined : TITLE_LINE.exec(text)?.[0];
  const end = start + (line?.length ?? 0);
  return line === undefined || end > MAX_TITLE_LINE ? { start: 0, end: 0 } : { start, end };
}

export function splitSource(text: string): Source {
  const found = FRONTMATTER.exec(text)?.[0] ?? '';
  const block = found.length > MAX_FRONTMATTER ? '' : found;
  const lines = fieldLines(block);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const frontmatter = block !== '' && isFrontmatter(lines) ? block : mark;
  const rest = text.slice(frontmatter.length);
  const title = rest.slice(0, titleIn(rest).end);
  const { fields, warnings } = readFrontmatter(frontmatter, frontmatter === block ? lines : []);
  return {
    frontmatter,
    title,
    body: rest.slice(title.length),
    fields,
    titleText: title === '' ? undefined : wordsOf(title),
    warnings,
  };
}

function wordsOf(title: string): string {
  const [heading] = parse(title.slice(titleIn(title).start)).document.nodes;
  return heading ? (ownText(heading) ?? '').trim() : '';
}

/**
 * The text with another title. An anchor after the title stays. Without a title line, one is added before the body;
 * `undefined` removes it.
 */
export function updateTitle(text: string, title: string | undefined): string {
  const source = splitSource(text);
  if (title !== undefined && source.titleText === title) return text;
  const written = title === undefined ? '' : `# ${titleMarkdown(title)}`;
  if (source.title === '') {
    if (title === undefined) return text;
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = source.body === '' || /^[ \t]*(\r|\n)/.test(source.body) ? end : end + end;
    const before = source.frontmatter.length > 1 && !/[\r\n]$/.test(source.frontmatter) ? end : '';
    return source.frontmatter + before + written + gap + source.body;
  }
  const { start } = titleIn(source.title);
  const blank = source.title.slice(0, start);
  const line = source.title.slice(start).replace(/(?<![\r\n])[\r\n]+$/, '');
  const end = source.title.slice(start + line.length);
  const anchor =
    title === undefined ? '' : (/ ?<a [^<>]*id="[^"]*"[^<>]*><\/a>[ \t]*$/.exec(line)?.[0] ?? '');
  return source.frontmatter + blank + written + anchor + (title === undefined ? '' : end) + source.body;
}

/** A title on one line, with markup escaped. */
const titleMarkdown = (title: string): string =>
  title
    .replace(/[\r\n]+/g, ' ')
    .trim()
    .replace(
      /[\\`*_[\]<]|&(?=[#A-Za-z0-9]{1,31};)|~(?=~)|!(?=\[)|\$(?=\$)|(?<!#)#+$/g,
      (char) => `\\${char}`,
    );
