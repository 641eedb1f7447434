import {
  membersOf,
  ownTitle,
  splitInclude,
  splitNewPage,
  type Pieces,
} from '../../content-engine/layout/index.ts';
import { splitSource, type Warning } from '../../content-engine/markdown/index.ts';
import { cleanTitle, type PageFields } from '../../content-engine/tree/index.ts';

/** Something new as it was sent: a body, or a whole source file, whose head sets the fields that were not given. */
export interface NewSource {
  readonly pieces: Pieces;
  readonly fields: PageFields;
  readonly warnings: readonly Warning[];
}

export function readNewPage(markdown: string, title: string | undefined): NewSource {
  const pieces = splitNewPage(markdown, title);
  const { source, frontmatter, titleLine } = pieces;
  const warnings = [...source.warnings];
  const members = membersOf(source.fields, (message) => warnings.push(headWarning(message, frontmatter)));
  // A heading that is not the title is text, and says nothing of the page.
  const own = ownTitle(titleLine === '' ? { ...source, titleText: undefined } : source);
  return { pieces, fields: { ...members, ...(own === undefined ? {} : { title: own }) }, warnings };
}

/** Reusable content has no line for its title: a heading belongs to what it says. */
export function readNewInclude(markdown: string): NewSource {
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

/** What somebody may have meant as fields, in a body that replaces another: there it is text. */
export function warnOfHead(before: string, after: string): Warning | undefined {
  const { frontmatter, fields } = splitSource(after);
  if (Object.keys(fields).length === 0 || before.startsWith(frontmatter)) return undefined;
  return headWarning(
    'The body begins like frontmatter. In an update that is text of the page; to change its fields, send them beside `document`.',
    frontmatter,
  );
}
