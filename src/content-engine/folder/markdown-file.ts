import { isBudgetExceeded } from '../budget.ts';
import { hashOf, type Hash } from '../map/index.ts';
import { analyseBody, isMdx, mdxIn, type BodyAnalysis, type Frontmatter } from '../markdown/index.ts';
import type { DescribedFile } from './described-file.ts';
import { lineCounter, ownTitle, splitInclude, splitPage, type FileParts } from './split-file.ts';

/** A Markdown file without its body: everything that the records of a folder need. */
export interface MarkdownFile {
  readonly fields: Frontmatter;
  readonly title: string | undefined;
  readonly frontmatter: string;
  readonly titleLine: string;
  /** The hash of the body. */
  readonly document: Hash;
  readonly hrefs: readonly string[];
  readonly warnings: readonly MarkdownWarning[];
}

export interface MarkdownWarning {
  readonly message: string;
  readonly line?: number;
}

/** A Markdown file whose body is stored already. A file that is not a page is described by `described`. */
export interface StoredMarkdown {
  readonly path: string;
  readonly markdown: MarkdownFile;
  readonly described: DescribedFile;
}

/** A Markdown file, with the body and its analysis. */
export interface ReadMarkdown {
  readonly markdown: MarkdownFile;
  readonly body: string;
  readonly analysis: BodyAnalysis;
}

export type MarkdownKind = 'page' | 'include';

export const splitMarkdown = (kind: MarkdownKind, text: string, path: string): FileParts =>
  kind === 'page' ? splitPage(text, path) : splitInclude(text);

/** What a file of MDX contains that is not run. */
export function mdxWarnings(path: string, text: string): readonly MarkdownWarning[] {
  const code = isMdx(path) ? mdxIn(text) : undefined;
  if (code === undefined) return [];
  return [{ message: `Code of MDX is not run: ${code.names.join(', ')}`, line: code.line }];
}

/** `known`: the analysis of the body, if it was parsed already. */
export function readMarkdown(parts: FileParts, known?: BodyAnalysis): ReadMarkdown {
  const { source, frontmatter, titleLine, body } = parts;
  const { analysis, problem } = known ? { analysis: known, problem: undefined } : analysisOf(body);
  const head = frontmatter + titleLine;
  const hasWarnings = source.warnings.length + analysis.warnings.length > 0;
  const lineOf = lineCounter(hasWarnings ? head + body : '');
  const warnings: MarkdownWarning[] = [
    ...(problem === undefined ? [] : [{ message: problem }]),
    ...source.warnings.map(({ message, start }) => ({ message, line: lineOf(start) })),
    ...analysis.warnings.map(({ message, start }) => ({ message, line: lineOf(head.length + start) })),
  ];
  const { fields } = source;
  const { hrefs } = analysis;
  const document = hashOf(body);
  const title = ownTitle(source);
  return {
    markdown: { fields, title, frontmatter, titleLine, document, hrefs, warnings },
    body,
    analysis,
  };
}

/** A page with too many blocks does not fail the import: it is stored without being parsed. */
function analysisOf(body: string): { readonly analysis: BodyAnalysis; readonly problem: string | undefined } {
  try {
    return { analysis: analyseBody(body), problem: undefined };
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    const problem = `It ${error.message} It is imported unchanged, but its text is not searchable.`;
    return { analysis: analyseBody(''), problem };
  }
}
