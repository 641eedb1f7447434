import { importsAt, isMdx, splitSource, updateTitle, type Source } from '../markdown/index.ts';
import { cleanTitle } from '../tree/index.ts';

/**
 * A Markdown file in the parts that a record stores. The blank lines before the body belong to the title line, up to a
 * limit: a record must be small.
 */
export interface FileParts {
  readonly source: Source;
  readonly frontmatter: string;
  readonly titleLine: string;
  readonly body: string;
}

const MAX_BLANK = 1024;
const BLANK = /^(?:[ \t]*(?:\r\n?|\n))+/;

/** `path`: of the file. */
export function splitPage(text: string, path = ''): FileParts {
  const source = splitPageSource(text, path);
  return cutBlank(source, source.title, source.body);
}

/** Imports before or after the title of a page of MDX belong to the title, since they are no text. */
export function splitPageSource(text: string, path = ''): Source {
  const source = splitSource(text);
  if (!isMdx(path)) return source;
  const { title, body } = source;
  const imports = importsAt(body);
  if (imports === 0) return source;
  const rest = body.slice(imports);
  const below = title === '' && rest !== '' ? splitSource(rest) : undefined;
  if (below === undefined || below.frontmatter !== '')
    return { ...source, title: title + body.slice(0, imports), body: rest };
  return {
    ...source,
    title: body.slice(0, imports) + below.title,
    titleText: below.titleText,
    body: below.body,
  };
}

/** The file of a page with another title. A title is added below the imports of MDX. */
export function updatePageTitle(text: string, path: string, title: string): string {
  const { frontmatter, title: before, body, titleText } = splitPageSource(text, path);
  const imports = isMdx(path) ? importsAt(before) : 0;
  if (imports === 0) return updateTitle(text, title);
  const end = titleText !== undefined ? '' : before.includes('\r\n') ? '\r\n' : '\n';
  return frontmatter + before.slice(0, imports) + end + updateTitle(before.slice(imports) + body, title);
}

/** Reusable content has no title line: its first heading belongs to the body. */
export function splitInclude(text: string): FileParts {
  const source = splitSource(text);
  return cutBlank(source, '', source.title + source.body);
}

/** A page sent by a client: a whole file, or only its body, which is stored unchanged, blank lines included. */
export function splitSentPage(text: string): FileParts {
  const source = splitSource(text);
  const hasHead = source.frontmatter !== '' || cleanTitle(source.titleText ?? '') !== undefined;
  return hasHead ? splitPage(text) : { source, frontmatter: '', titleLine: '', body: text };
}

/**
 * Whether a body sent for a page starts with frontmatter or with a heading that is the title. If the stored body
 * already starts with one, that one belongs to the body, so that a client can send back what it read; a heading then
 * counts as the title only if it equals the page's title.
 */
export function bringsHead(sent: string, before: { readonly body: string; readonly title: string }): boolean {
  const own = splitSource(before.body);
  const { frontmatter, title, titleText } = splitSource(sent);
  if (frontmatter.length > 1) return own.frontmatter.length <= 1;
  const heading = cleanTitle(titleText ?? '');
  if (heading === undefined) return false;
  return own.title === '' || (heading === before.title && title !== own.title);
}

function cutBlank(source: Source, title: string, rest: string): FileParts {
  const blank = BLANK.exec(rest.slice(0, MAX_BLANK))?.[0] ?? '';
  const { frontmatter } = source;
  return { source, frontmatter, titleLine: title + blank, body: rest.slice(blank.length) };
}

/** The title in the file itself. */
export const ownTitle = ({ titleText, fields }: Source): string | undefined =>
  cleanTitle(titleText ?? '') ?? cleanTitle(fields.title ?? '');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined: not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The line number of an offset. Fast for increasing offsets. */
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
