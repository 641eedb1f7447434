import { baseDirectoryOf, currentPaths, encodePath, relativePath, resolveIn } from '../../links/index.ts';
import { splitSource, updateFrontmatter, updateTitle } from '../../markdown/index.ts';
import {
  isOutOfLine,
  type CoverRef,
  type DocumentPage,
  type ReusableContentRecord,
} from '../../tree/index.ts';
import { coverChanges, fieldChanges } from '../frontmatter-fields.ts';
import { includeTitle } from '../read/read-folder.ts';
import { ownTitle, splitPageSource, updatePageTitle } from '../split-file.ts';
import { loadInline, type ExportContext } from './export-context.ts';

/**
 * The file of a page: the imported file, with changes to those lines that no longer match the page. `body` has links
 * that resolve in the folder; `defaultTitle` is the title that an import would give a file without one.
 */
export function writePage(
  context: ExportContext,
  page: DocumentPage,
  body: string,
  defaultTitle: string | undefined,
): string {
  const text = withTitle(page, withBody(context, page, body), defaultTitle);
  const { fields } = splitSource(text);
  const dir = baseDirectoryOf(context, page.id);
  // Remove the line of a deleted cover only: a line that never named a file stays.
  const folder = page.cover === undefined ? currentPaths(context.tree) : context;
  const find = (href: string) => resolveIn(folder, baseDirectoryOf(folder, page.id), href);
  const spell = (ref: CoverRef) =>
    ref.kind === 'url' ? ref.url : spelled(relativePath(dir, context.pathOf(ref.file) ?? ref.file));
  const changes = { ...fieldChanges(page, fields), ...coverChanges(page, fields, find, spell) };
  return Object.keys(changes).length === 0 ? text : updateFrontmatter(text, changes);
}

/** A path in frontmatter is encoded only if it would be misread otherwise. */
const spelled = (path: string): string => (/[%#?]/.test(path) ? encodePath(path) : path);

const titleOnly = (title: string): string => `${updateTitle('', title)}\n`;

function withBody(context: ExportContext, page: DocumentPage, body: string): string {
  const { source } = page;
  if (source === undefined) return titleOnly(page.title) + body;
  const frontmatter = source.frontmatter === undefined ? '' : loadInline(context, source.frontmatter);
  const before = endLine(frontmatter + (source.titleLine ?? ''), body);
  const read = splitPageSource(before + body, source.path);
  const isBodyMisread =
    read.frontmatter.trimEnd() !== frontmatter.trimEnd() ||
    read.frontmatter.length + read.title.length > before.length;
  // An edited body may begin like a title or like frontmatter.
  return isBodyMisread ? endLine(frontmatter, body) + titleOnly(page.title) + body : before + body;
}

/** Separates the head from the body. */
const endLine = (before: string, body: string): string =>
  before === '' || before === '\uFEFF' || body === '' || /[\r\n]$/.test(before) ? before : `${before}\n\n`;

/** Whether the exported file contains the title. If not, SUMMARY.md does. */
export const hasOwnTitle = (context: ExportContext, page: DocumentPage): boolean =>
  context.ownTitles.get(page.id) ?? containsTitle(context, page, '');

const containsTitle = (context: ExportContext, page: DocumentPage, body: string): boolean =>
  ownTitle(splitPageSource(withBody(context, page, body), page.source?.path)) !== undefined;

/** Whether the body may decide that: without a line of a title before it, its own beginning may be read as one. */
export const dependsOnBody = ({ source }: DocumentPage): boolean =>
  source !== undefined &&
  ((source.titleLine ?? '').trim() === '' ||
    (source.frontmatter !== undefined && isOutOfLine(source.frontmatter)));

/** For SUMMARY.md, which is written when the body is no longer in memory. */
export function recordOwnTitle(context: ExportContext, page: DocumentPage, body: string): void {
  context.ownTitles.set(page.id, containsTitle(context, page, body));
}

function withTitle(page: DocumentPage, text: string, defaultTitle: string | undefined): string {
  const read = splitPageSource(text, page.source?.path);
  const own = ownTitle(read);
  if ((own ?? defaultTitle) === page.title) return text;
  const isField = read.titleText === undefined && own !== undefined;
  return isField
    ? updateFrontmatter(text, { title: page.title })
    : updatePageTitle(text, page.source?.path ?? '', page.title);
}

export function writeInclude(context: ExportContext, record: ReusableContentRecord, body: string): string {
  const { source, title } = record;
  const frontmatter = source?.frontmatter === undefined ? '' : loadInline(context, source.frontmatter);
  const text = endLine(frontmatter + (source?.titleLine ?? ''), body) + body;
  const read = splitSource(text);
  if (frontmatter === '' && read.frontmatter.length > 1) return updateFrontmatter('', { title }) + body;
  const isSameTitle = includeTitle(read.fields.title, context.pathOf(record.id) ?? '') === title;
  return isSameTitle ? text : updateFrontmatter(text, { title });
}
