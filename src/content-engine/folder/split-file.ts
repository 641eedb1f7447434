import { splitSource, type Source } from '../markdown/index.ts';
import { cleanTitle } from '../tree/index.ts';

/** A file of Markdown as a record keeps it: what stands before the body ends with the blank lines before its text. */
export interface Pieces {
  readonly source: Source;
  readonly frontmatter: string;
  readonly titleLine: string;
  readonly body: string;
}

const BLANK = /^(?:[ \t]*(?:\r\n?|\n))+/;

export function splitPage(text: string): Pieces {
  const source = splitSource(text);
  return cutBlank(source, source.title, source.body);
}

/** Reusable content has no title line: a heading belongs to what it says. */
export function splitInclude(text: string): Pieces {
  const source = splitSource(text);
  return cutBlank(source, '', source.title + source.body);
}

/** A page sent by a client: a whole file, or only its body, which is stored unchanged, blank lines included. */
export function splitSentPage(text: string): Pieces {
  const source = splitSource(text);
  const hasHead = source.frontmatter !== '' || cleanTitle(source.titleText ?? '') !== undefined;
  return hasHead ? splitPage(text) : { source, frontmatter: '', titleLine: '', body: text };
}

/**
 * Whether a body that is sent for a page brings a head of its own: frontmatter, or a heading, which is the title. A body
 * that begins so already keeps what it begins with, or what was read could not be sent back; its heading is only taken
 * for the title where it is the page's title.
 */
export function bringsHead(sent: string, before: { readonly body: string; readonly title: string }): boolean {
  const own = splitSource(before.body);
  const { frontmatter, title, titleText } = splitSource(sent);
  if (frontmatter.length > 1) return own.frontmatter.length <= 1;
  const heading = cleanTitle(titleText ?? '');
  if (heading === undefined) return false;
  return own.title === '' || (heading === before.title && title !== own.title);
}

function cutBlank(source: Source, title: string, rest: string): Pieces {
  const blank = BLANK.exec(rest)?.[0] ?? '';
  const { frontmatter } = source;
  return { source, frontmatter, titleLine: title + blank, body: rest.slice(blank.length) };
}

/** The title that a file gives itself. */
export const ownTitle = ({ titleText, fields }: Source): string | undefined =>
  cleanTitle(titleText ?? '') ?? cleanTitle(fields.title ?? '');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined: no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The line of an offset, cheap for offsets that are asked for in order. */
export function lineCounter(text: string): (offset: number) => number {
  let [line, from] = [1, 0];
  return (offset) => {
    if (offset < from) [line, from] = [1, 0];
    for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
      line++;
      from = at + 1;
    }
    return line;
  };
}
