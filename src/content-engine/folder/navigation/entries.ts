import { cleanTitle, isSafeUrl, MAX_DEPTH } from '../../tree/index.ts';
import { titleFrom } from '../read/infer-outline.ts';
import type { OutlineRow } from '../read/outline.ts';
import { withoutExtension } from '../page-path.ts';

/** An entry of the navigation of another program. */
export interface NavigationEntry {
  readonly title?: string | undefined;
  /** The file of its page, whether it exists or not. */
  readonly path?: string | undefined;
  readonly href?: string | undefined;
  readonly entries?: readonly NavigationEntry[];
}

/** The navigation of a folder: of one program, if it is data. */
export interface Navigation {
  readonly file: string;
  readonly entries: readonly NavigationEntry[];
  readonly problems: readonly NavigationProblem[];
}

export interface NavigationProblem {
  readonly message: string;
  readonly line?: number;
}

/** What the navigations of other programs are read from. */
export interface NavigationSource {
  /** All files. */
  readonly paths: readonly string[];
  isPage(path: string): boolean;
  /** The text of a settings file. */
  text(path: string): string | undefined;
  /** The frontmatter of a page, with its fences. */
  frontmatter(path: string): string;
}

const MAX_ENTRIES = 160_000;
const INDEX = /(?:^|\/)(?:index|README)\.mdx?$/i;

/**
 * The outline by the entries. A section without a page is a group at the root; further down, its pages belong to the
 * section above. A file is a page once.
 */
export function rowsOf(entries: readonly NavigationEntry[], isPage: (path: string) => boolean) {
  const rows: OutlineRow[] = [];
  const missing: string[] = [];
  const dissolved: string[] = [];
  const used = new Set<string>();
  const add = (entry: NavigationEntry, depth: number): void => {
    if (rows.length + missing.length > MAX_ENTRIES) return;
    const { title, path, below } = withIndex(entry, depth > 1);
    const name = cleanTitle(title ?? '');
    const next = Math.min(depth + 1, MAX_DEPTH);
    const addBelow = (at: number) => below.forEach((each) => add(each, at));
    if (path !== undefined && isPage(path) && !used.has(path)) {
      used.add(path);
      rows.push({ ...documentRow(path, name), depth });
      return addBelow(next);
    }
    if (path !== undefined && !isPage(path)) missing.push(path);
    const { href } = entry;
    if (path === undefined && href !== undefined && below.length === 0) {
      if (isSafeUrl(href, ['http', 'https', 'mailto', 'tel']))
        rows.push({ type: 'link', title: name ?? cleanTitle(href) ?? 'Untitled', href, depth });
      return;
    }
    if (below.length === 0) return;
    if (depth > 1 || name === undefined) {
      if (name !== undefined) dissolved.push(name);
      return addBelow(depth);
    }
    const at = rows.push({ type: 'group', title: name, depth }) - 1;
    addBelow(next);
    if (rows.length === at + 1) rows.pop();
  };
  for (const entry of entries) add(entry, 1);
  return { rows, missing, dissolved, used };
}

/** A section whose first page is the index of a folder has that page, unless the section can be a group. */
function withIndex({ title, path, entries = [] }: NavigationEntry, isNested: boolean) {
  const [first, ...rest] = entries;
  const isIndex = first?.path !== undefined && INDEX.test(first.path) && (first.entries ?? []).length === 0;
  if (path !== undefined || !isNested || !isIndex) return { title, path, below: entries };
  return { title, path: first.path, below: rest };
}

/** `01-` before a name gives its place. */
export const withoutNumber = (name: string): string => name.replace(/^\d{1,6}\s*[-_.]+\s*(?=[^\d\s])/, '');

function documentRow(path: string, label: string | undefined) {
  const parts = withoutExtension(path).split('/');
  const folder = INDEX.test(path) ? parts.at(-2) : undefined;
  const name = withoutNumber(folder ?? parts.at(-1) ?? '');
  const title = label ?? titleFrom(name);
  return { type: 'document' as const, path, slug: name, title, ...(label === undefined ? {} : { label }) };
}
