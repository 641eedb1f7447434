import {
  bringsHead,
  ownTitle,
  splitInclude,
  splitSentPage,
  statedFields,
  type FileParts,
} from '../../content-engine/folder/index.ts';
import { splitSource, type Warning } from '../../content-engine/markdown/index.ts';
import { cleanTitle, type PageFields } from '../../content-engine/tree/index.ts';

/** A page or reusable content as it was sent: a body, or a whole source file, whose head sets fields. */
export interface SentSource {
  readonly pieces: FileParts;
  readonly fields: PageFields;
  readonly warnings: readonly Warning[];
}

/** The source of a page. What its frontmatter and its heading say takes precedence over fields beside it. */
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

/** Reusable content has no line for its title: a heading belongs to what it says. */
export function readNewInclude(markdown: string): SentSource {
  const { source, ...pieces } = splitInclude(markdown);
  const title = cleanTitle(source.fields.title ?? '');
  return {
    // A body alone is kept as it is, blank lines included.
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

/** What somebody may have meant as fields, in a body that replaces that of reusable content: there it is text. */
export function warnOfHead(before: string, after: string): Warning | undefined {
  const { frontmatter, fields } = splitSource(after);
  if (Object.keys(fields).length === 0 || before.startsWith(frontmatter)) return undefined;
  return headWarning(
    'The body begins like frontmatter, which is stored as text in an update of reusable content. Send fields next to `document` to change them.',
    frontmatter,
  );
}
