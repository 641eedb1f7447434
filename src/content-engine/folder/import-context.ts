import { isBudgetExceeded } from '../budget.ts';
import { hashOf, type Hash } from '../map/index.ts';
import { analyseBody, type BodyAnalysis, type Frontmatter, type Warning } from '../markdown/index.ts';
import { inline, type Inline, type PageSource, type Tree } from '../tree/index.ts';
import type { OutlineRow } from './outline.ts';
import { lineCounter, textOf, type FileParts } from './split-file.ts';

/**
 * A file by its path from the top of the folder, with slashes: its bytes or, unless `isReadAsText`, its description.
 */
export type FolderFile = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly stored: DescribedFile }
);

export interface FolderWarning {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  /** An entry of SUMMARY.md that is no page. */
  readonly isEntry?: true;
  /** The path that the entry names. */
  readonly file?: string;
}

export interface ReadFolderOptions {
  readonly newId: () => string;
  readonly now: number;
  /** The current content of the space: remaining pages keep their ids, and unchanged entries their records. */
  readonly previous?: Tree;
  /** Detects the type of a file. */
  readonly describe?: (bytes: Uint8Array, name: string) => FileDescription;
  /** Called with each body once it is parsed. The analyses are not stored, because thousands of them are large. */
  readonly each?: (id: string, analysis: BodyAnalysis) => void;
  /** Default: by SUMMARY.md, or inferred. Rows of documents without a file are omitted. */
  readonly outline?: readonly OutlineRow[];
  /** The analysis of a body that was parsed already, by the path of its file. */
  readonly analysisOf?: (path: string) => BodyAnalysis | undefined;
  /** Groups become empty pages: they are allowed only at the root, and the pages may be added below another one. */
  readonly groupsAsPages?: boolean;
}

export interface FileDescription {
  readonly contentType: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
}

export interface DescribedFile extends FileDescription {
  readonly hash: Hash;
  readonly size: number;
}

/** The state of an import: the files, and the results so far. */
export interface ImportContext {
  readonly options: ReadFolderOptions;
  readonly files: ReadonlyMap<string, FolderFile>;
  readonly texts: Map<Hash, string>;
  readonly warnings: FolderWarning[];
  /** References by entry id, resolved when all entries are known. */
  readonly hrefs: Map<string, readonly string[]>;
  readonly covers: Map<string, Frontmatter>;
  readonly targets: Map<string, string>;
  /** Undefined: the file does not exist or is not UTF-8. */
  text(path: string): string | undefined;
}

export function newImport(files: Iterable<FolderFile>, options: ReadFolderOptions): ImportContext {
  const accepted = new Map<string, FolderFile>();
  const warnings: FolderWarning[] = [];
  for (const file of files) {
    const { path } = file;
    const problem = accepted.has(path) ? 'Duplicate file' : refusePath(path);
    if (problem === undefined) accepted.set(path, file);
    else warnings.push({ path, message: `${problem}: skipped` });
  }
  const read = new Map<string, string | undefined>();
  return {
    options,
    files: accepted,
    texts: new Map(),
    warnings,
    hrefs: new Map(),
    covers: new Map(),
    targets: new Map(),
    text(path) {
      const file = accepted.get(path);
      if (file === undefined || !('bytes' in file) || read.has(path)) return read.get(path);
      const text = textOf(file.bytes);
      if (text === undefined) warnings.push({ path, message: 'Not UTF-8: imported as a file' });
      read.set(path, text);
      return text;
    },
  };
}

function refusePath(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'Invalid path';
  if (/^(?:[/\\]|[a-z]:[/\\])/i.test(path) || path.split(/[/\\]/).includes('..')) {
    return 'The path is outside of the folder';
  }
  return undefined;
}

/** The form in which a record stores a value. Long values are added to the texts. */
export function storeInline<T extends object | string>({ texts }: ImportContext, value: T): Inline<T> {
  const { value: inlined, blob } = inline(value);
  if (blob !== undefined) texts.set((inlined as { hash: Hash }).hash, blob);
  return inlined;
}

/** The members of a record for a Markdown file. */
export function sourceMembers(
  context: ImportContext,
  path: string,
  { frontmatter, titleLine, body }: FileParts,
): { readonly document: Hash; readonly source: PageSource } {
  const document = hashOf(body);
  context.texts.set(document, body);
  return {
    document,
    source: {
      path,
      ...(frontmatter === '' ? {} : { frontmatter: storeInline(context, frontmatter) }),
      ...(titleLine === '' ? {} : { titleLine }),
    },
  };
}

/** Parses a body once, for its hrefs, its warnings and the `each` option. */
export function readBody(context: ImportContext, id: string, path: string, parts: FileParts): void {
  const analysis = context.options.analysisOf?.(path) ?? analysisOf(context, path, parts.body);
  context.hrefs.set(id, analysis.hrefs);
  const before = parts.frontmatter + parts.titleLine;
  const lineOf = lineCounter(before + parts.body);
  const warn = (offset: number, { message, start }: Warning) =>
    context.warnings.push({ path, message, line: lineOf(offset + start) });
  for (const warning of parts.source.warnings) warn(0, warning);
  for (const warning of analysis.warnings) warn(before.length, warning);
  context.options.each?.(id, analysis);
}

/** A page with too many blocks does not fail the import: it is stored without being parsed. */
function analysisOf(context: ImportContext, path: string, body: string): BodyAnalysis {
  try {
    return analyseBody(body);
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    const message = `It ${error.message} It is imported unchanged, but its text is not searchable.`;
    context.warnings.push({ path, message });
    return analyseBody('');
  }
}
