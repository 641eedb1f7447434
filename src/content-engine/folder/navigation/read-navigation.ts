import type { Configuration } from '../configuration.ts';
import type { ImportContext } from '../read/import-context.ts';
import type { OutlineRow } from '../read/outline.ts';
import { isPagePath } from '../page-path.ts';
import { readDocusaurus } from './docusaurus.ts';
import { rowsOf, type NavigationSource } from './entries.ts';
import { readMdBook } from './mdbook.ts';
import { readMkDocs } from './mkdocs.ts';
import { readVitePress } from './vitepress.ts';

/** The first reader that lists pages is used. */
const PROGRAMS = [readMkDocs, readVitePress, readMdBook, readDocusaurus];

const FILE =
  /^(?:mkdocs\.ya?ml|docusaurus\.config\.[cm]?[jt]s|sidebars\.(?:[cm]?[jt]s|json)|book\.toml|(?:docs\/)?\.vitepress\/config(?:\/index)?\.[cm]?[jt]s)$/;
const BELOW = /(?:^|\/)(?:SUMMARY\.md|_category_\.(?:json|ya?ml))$/;

/** Whether a navigation is read from this file. `path`: below the root. */
export const isNavigation = (path: string): boolean => FILE.test(path) || BELOW.test(path);

/** Settings of another program: they define the folder. */
export const isNavigationFile = (path: string): boolean => FILE.test(path);

/** A longer file is not read. */
export const MAX_NAVIGATION = 256 * 1024;

/** The bytes of a page that are read: enough to find a field. */
const MAX_FRONTMATTER = 8 * 1024;
const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\n---/;

const LISTED = 20;

/** The outline that another program shows for the folder. Undefined: it has none, or it cannot be used, which is reported. */
export function readNavigation(
  context: ImportContext,
  { root }: Configuration,
  isPage: (path: string) => boolean,
): readonly OutlineRow[] | undefined {
  const source = sourceOf(context, isPage);
  for (const read of PROGRAMS) {
    const navigation = read(source, root);
    if (navigation === undefined) continue;
    const { file, entries, problems } = navigation;
    const { rows, missing, dissolved, used } = rowsOf(entries, isPage);
    const isUsed = used.size > 0;
    const warn = (message: string, line?: number) =>
      context.warnings.push({ path: file, message, ...(line === undefined ? {} : { line }), isEntry: true });
    for (const { message, line } of problems.slice(0, LISTED)) warn(message, line);
    for (const path of missing.slice(0, LISTED)) warn(`There is no ${path}`);
    if (missing.length > LISTED) warn(`${missing.length - LISTED} further pages do not exist`);
    if (!isUsed) warn('Not used: it lists no page of the folder');
    if (isUsed && dissolved.length > 0)
      warn(`Sections without a page, whose pages are in the section above: ${list(dissolved)}`);
    const unlisted = isUsed ? source.paths.filter((path) => isPage(path) && !used.has(path)) : [];
    if (unlisted.length > 0)
      context.warnings.push({
        path: file,
        message: `Pages that it does not list are files: ${list(unlisted)}`,
      });
    if (isUsed) return rows;
  }
  return undefined;
}

const list = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ` and ${names.length - LISTED} more` : '');

function sourceOf(context: ImportContext, isPage: (path: string) => boolean): NavigationSource {
  const read = (path: string): string | undefined => {
    const file = context.files.get(path);
    return file !== undefined && 'bytes' in file && file.bytes.length <= MAX_NAVIGATION
      ? context.text(path)
      : undefined;
  };
  return {
    paths: [...context.files.keys()].toSorted(),
    isPage,
    text: read,
    frontmatter(path) {
      const file = context.files.get(path);
      if (file === undefined || !isPagePath(path)) return '';
      if ('markdown' in file) return file.markdown.frontmatter;
      return FRONTMATTER.exec((context.text(path) ?? '').slice(0, MAX_FRONTMATTER))?.[0] ?? '';
    },
  };
}
