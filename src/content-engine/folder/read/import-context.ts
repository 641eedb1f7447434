import type { Hash } from '../../map/index.ts';
import type { BodyAnalysis, Frontmatter } from '../../markdown/index.ts';
import { inline, type Inline, type PageSource, type Tree } from '../../tree/index.ts';
import type { DescribedFile, FileDescription } from '../described-file.ts';
import {
  mdxWarnings,
  readMarkdown,
  splitMarkdown,
  type MarkdownFile,
  type MarkdownKind,
  type StoredMarkdown,
} from '../markdown-file.ts';
import type { OutlineRow } from './outline.ts';
import { textOf } from '../split-file.ts';

/**
 * A file by its path from the top of the folder, with slashes: its bytes; Markdown whose body is stored; or the description
 * of any other stored file (see `contentKinds`).
 */
export type FolderFile =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly stored: DescribedFile }
  | StoredMarkdown;

export interface FolderWarning {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  /** An entry of SUMMARY.md that is no page. */
  readonly isEntry?: true;
  /** The path that the entry, or a setting, names. */
  readonly file?: string;
}

export interface ReadFolderOptions {
  readonly newId: () => string;
  readonly now: number;
  /** The current content of the space: remaining pages keep their ids, and unchanged entries their records. */
  readonly previous?: Tree;
  /** Previous paths of files that were moved, by their paths: they keep their ids, too. */
  readonly moved?: ReadonlyMap<string, string>;
  /** Detects the type of a file. */
  readonly describe?: (bytes: Uint8Array, name: string) => FileDescription;
  /** Called with each body of a file that was given as bytes. The analyses are not returned: thousands of them are large. */
  readonly each?: (document: Hash, analysis: BodyAnalysis) => void;
  /** Default: by SUMMARY.md, or inferred. Rows of documents without a file are omitted. */
  readonly outline?: readonly OutlineRow[];
  /** Entries of every type; further rows of the outline are no pages. Default: no limit. */
  readonly maxEntries?: number;
  /** The analysis of a body that was parsed already, by the path of its file, which is given as bytes. */
  readonly analysisOf?: (path: string) => BodyAnalysis | undefined;
  /** Groups become empty pages: they are allowed only at the root, and the pages may be added below another one. */
  readonly groupsAsPages?: boolean;
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
  /** The text of a file that is given as bytes. Undefined: there is none, or it is not UTF-8. */
  text(path: string): string | undefined;
  /** Undefined: the file does not exist, is not UTF-8, or is stored as a file. */
  markdown(path: string, kind: MarkdownKind): MarkdownFile | undefined;
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
  const texts = new Map<Hash, string>();
  const text = (path: string): string | undefined => {
    const file = accepted.get(path);
    if (file === undefined || !('bytes' in file) || read.has(path)) return read.get(path);
    const found = textOf(file.bytes);
    if (found === undefined) warnings.push({ path, message: 'Not UTF-8: imported as a file' });
    read.set(path, found);
    return found;
  };
  return {
    options,
    files: accepted,
    texts,
    warnings,
    hrefs: new Map(),
    covers: new Map(),
    targets: new Map(),
    text,
    markdown(path, kind) {
      const file = accepted.get(path);
      if (file !== undefined && 'markdown' in file) return file.markdown;
      const found = text(path);
      if (found === undefined) return undefined;
      const { markdown, body, analysis } = readMarkdown(
        splitMarkdown(kind, found, path),
        options.analysisOf?.(path),
      );
      for (const warning of mdxWarnings(path, found)) warnings.push({ path, ...warning });
      texts.set(markdown.document, body);
      options.each?.(markdown.document, analysis);
      return markdown;
    },
  };
}

/** Whether a file can be a page. */
export function isText({ files, text }: ImportContext, path: string): boolean {
  const file = files.get(path);
  return file !== undefined && ('markdown' in file || text(path) !== undefined);
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
export const sourceMembers = (
  context: ImportContext,
  path: string,
  { document, frontmatter, titleLine }: MarkdownFile,
): { readonly document: Hash; readonly source: PageSource } => ({
  document,
  source: {
    path,
    ...(frontmatter === '' ? {} : { frontmatter: storeInline(context, frontmatter) }),
    ...(titleLine === '' ? {} : { titleLine }),
  },
});

/** Records the hrefs and the warnings of an entry. */
export function useMarkdown(context: ImportContext, id: string, path: string, markdown: MarkdownFile): void {
  context.hrefs.set(id, markdown.hrefs);
  for (const warning of markdown.warnings) context.warnings.push({ path, ...warning });
}
