import { isBudgetExceeded } from '../budget.ts';
import { hashOf, type Hash } from '../map/index.ts';
import { analyse, type Analysis, type Frontmatter, type Warning } from '../markdown/index.ts';
import { inline, type Inline, type PageSource, type Tree } from '../tree/index.ts';
import { lineCounter, textOf, type Pieces } from './split-file.ts';

/** By its path from the folder, with slashes: its bytes or, unless `isReadAsText`, only what is known of them. */
export type FolderFile = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly stored: DescribedFile }
);

export interface FolderWarning {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
}

export interface ReadFolderOptions {
  readonly newId: () => string;
  readonly now: number;
  /** What the space holds: a page that is still there keeps its id, and what did not change its record. */
  readonly previous?: Tree;
  /** What a file is, by its bytes. */
  readonly describe?: (bytes: Uint8Array, name: string) => FileDescription;
  /** Is shown each body once it is read. Not kept: a thousand of them are large. */
  readonly each?: (id: string, analysis: Analysis) => void;
}

export interface FileDescription {
  readonly contentType: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
}

export interface DescribedFile extends FileDescription {
  readonly hash: Hash;
  readonly size: number;
}

/** A folder while it is read: its files, and what is known of them so far. */
export interface Reading {
  readonly options: ReadFolderOptions;
  readonly files: ReadonlyMap<string, FolderFile>;
  readonly texts: Map<Hash, string>;
  readonly warnings: FolderWarning[];
  /** What can be resolved only when all entries are there, by id. */
  readonly hrefs: Map<string, readonly { readonly href: string }[]>;
  readonly covers: Map<string, Frontmatter>;
  readonly targets: Map<string, string>;
  /** Undefined: no such file, or no UTF-8. */
  text(path: string): string | undefined;
}

export function newReading(files: Iterable<FolderFile>, options: ReadFolderOptions): Reading {
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

/** A value for a record; what is too long for one goes to the texts. */
export function kept<T extends object | string>({ texts }: Reading, value: T): Inline<T> {
  const { value: inlined, blob } = inline(value);
  if (blob !== undefined) texts.set((inlined as { hash: Hash }).hash, blob);
  return inlined;
}

/** The members of a record that a file of Markdown makes. */
export function sourceMembers(
  reading: Reading,
  path: string,
  { frontmatter, titleLine, body }: Pieces,
): { readonly document: Hash; readonly source: PageSource } {
  const document = hashOf(body);
  reading.texts.set(document, body);
  return {
    document,
    source: {
      path,
      ...(frontmatter === '' ? {} : { frontmatter: kept(reading, frontmatter) }),
      ...(titleLine === '' ? {} : { titleLine }),
    },
  };
}

/** Reads a body, once: for its hrefs and warnings, and for whoever looks on. */
export function readBody(reading: Reading, id: string, path: string, pieces: Pieces): void {
  const analysis = analysisOf(reading, path, pieces.body);
  reading.hrefs.set(id, analysis.hrefs);
  const before = pieces.frontmatter + pieces.titleLine;
  const lineOf = lineCounter(before + pieces.body);
  const warn = (offset: number, { message, start }: Warning) =>
    reading.warnings.push({ path, message, line: lineOf(offset + start) });
  for (const warning of pieces.source.warnings) warn(0, warning);
  for (const warning of analysis.warnings) warn(before.length, warning);
  reading.options.each?.(id, analysis);
}

/** A folder is imported whole: a page with too many blocks is kept as it is, and nothing is read of it. */
function analysisOf(reading: Reading, path: string, body: string): Analysis {
  try {
    const analysis = analyse(body);
    // Parts are made when they are asked for; each of them needs the document.
    void analysis.document;
    return analysis;
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    const message = `It ${error.message} It is imported unchanged, but its text is not searchable.`;
    reading.warnings.push({ path, message });
    return analyse('');
  }
}
