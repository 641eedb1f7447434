import {
  bringsHead,
  ownTitle,
  splitInclude,
  splitSentPage,
  statedFields,
  type FileParts,
} from '../../../content-engine/folder/index.ts';
import { splitSource, type Warning } from '../../../content-engine/markdown/index.ts';
import { cleanTitle, type PageFields } from '../../../content-engine/tree/index.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { MAX_SOURCE } from './batch.ts';

/** A page or reusable content as it was sent: a body, or a whole source file, whose head sets fields. */
export interface SentSource {
  readonly pieces: FileParts;
  readonly fields: PageFields;
  readonly warnings: readonly Warning[];
}

/** `body`: how a message names it. */
export function requireBodySize(markdown: string, body: string): void {
  if (Buffer.byteLength(markdown) > MAX_SOURCE) {
    throw tooLarge(`${body}: a page must not exceed ${MAX_SOURCE / 1024 / 1024} MB of Markdown.`);
  }
}

/** The source of a page. Its frontmatter and its heading take precedence over fields of the change. */
export function readSentPage(markdown: string): SentSource {
  const pieces = splitSentPage(markdown);
  const { source, frontmatter } = pieces;
  const warnings = [...source.warnings];
  const fields = statedFields(source.fields, (message) => warnings.push(headWarning(message, frontmatter)));
  const title = ownTitle(source);
  return { pieces, fields: { ...fields, ...(title === undefined ? {} : { title }) }, warnings };
}

/** The source of a page that replaces another body; undefined where all of it is the body. */
export const readReplacement = (
  markdown: string,
  before: { readonly body: string; readonly title: string },
): SentSource | undefined => (bringsHead(markdown, before) ? readSentPage(markdown) : undefined);

/** The source of reusable content. It has no line for its title: a heading is part of the body. */
export function readSentReusableContent(markdown: string): SentSource {
  const { source, ...pieces } = splitInclude(markdown);
  const title = cleanTitle(source.fields.title ?? '');
  return {
    // A body without frontmatter is stored unchanged, blank lines included.
    pieces:
      pieces.frontmatter === ''
        ? { source, frontmatter: '', titleLine: '', body: markdown }
        : { source, ...pieces },
    fields: title === undefined ? {} : { title },
    warnings: source.warnings,
  };
}

export const headWarning = (message: string, head: string): Warning => ({
  kind: 'frontmatter',
  message,
  start: 0,
  end: head.length,
});

/**
 * Warns of frontmatter in a body that replaces the body of reusable content: its author may have meant fields, but it is
 * text.
 */
export function warnOfHead(before: string, after: string): Warning | undefined {
  const { frontmatter, fields } = splitSource(after);
  if (Object.keys(fields).length === 0 || before.startsWith(frontmatter)) return undefined;
  return headWarning(
    'The body begins like frontmatter, which is stored as text in an update of reusable content. Send fields next to `document` to change them.',
    frontmatter,
  );
}
