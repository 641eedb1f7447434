import { currentFolder, dirOf, encodePath, relativePath, resolveIn } from '../links/index.ts';
import { splitSource, updateFrontmatter, updateTitle } from '../markdown/index.ts';
import type { CoverRef, DocumentPage, ReusableContentRecord } from '../tree/index.ts';
import { coverChanges, fieldChanges } from './frontmatter-fields.ts';
import { includeTitle } from './read-folder.ts';
import { ownTitle } from './split-file.ts';
import { loaded, writtenBody, type Writing } from './export-context.ts';

/**
 * The file of a page: what it came from, with those lines changed that would otherwise be read as something else than
 * the page is now. `given` is the title it would have without saying one.
 */
export function writePage(writing: Writing, page: DocumentPage, given: string | undefined): string {
  const text = titled(page, withBody(writing, page), given);
  const { fields } = splitSource(text);
  const dir = dirOf(writing, page.id);
  // A line that names no file yet is not taken away when there is one: only one that means a cover that is no more.
  const folder = page.cover === undefined ? currentFolder(writing.tree) : writing;
  const find = (href: string) => resolveIn(folder, dirOf(folder, page.id), href);
  const spell = (ref: CoverRef) =>
    ref.kind === 'url' ? ref.url : spelled(relativePath(dir, writing.pathOf(ref.file) ?? ref.file));
  const changes = { ...fieldChanges(page, fields), ...coverChanges(page, fields, find, spell) };
  return Object.keys(changes).length === 0 ? text : updateFrontmatter(text, changes);
}

/** In frontmatter a path stands as it is, unless it would be read as something else. */
const spelled = (path: string): string => (/[%#?]/.test(path) ? encodePath(path) : path);

const titleOnly = (title: string): string => `${updateTitle('', title)}\n`;

function withBody(writing: Writing, page: DocumentPage): string {
  const body = writtenBody(writing, page);
  const { source } = page;
  if (source === undefined) return titleOnly(page.title) + body;
  const frontmatter = source.frontmatter === undefined ? '' : loaded(writing, source.frontmatter);
  const before = ended(frontmatter + (source.titleLine ?? ''), body);
  const read = splitSource(before + body);
  const isBodyRead =
    read.frontmatter.trimEnd() !== frontmatter.trimEnd() ||
    read.frontmatter.length + read.title.length > before.length;
  // A body that was written since may begin like a title or like frontmatter.
  return isBodyRead ? ended(frontmatter, body) + titleOnly(page.title) + body : before + body;
}

/** What stands before a body ends its line. */
const ended = (before: string, body: string): string =>
  before === '' || before === '\uFEFF' || body === '' || /[\r\n]$/.test(before) ? before : `${before}\n\n`;

/** Whether the file of a page will say its title: if not, SUMMARY.md does. */
export const hasOwnTitle = (writing: Writing, page: DocumentPage): boolean =>
  ownTitle(splitSource(withBody(writing, page))) !== undefined;

function titled(page: DocumentPage, text: string, given: string | undefined): string {
  const read = splitSource(text);
  const own = ownTitle(read);
  if ((own ?? given) === page.title) return text;
  const isField = read.titleText === undefined && own !== undefined;
  return isField ? updateFrontmatter(text, { title: page.title }) : updateTitle(text, page.title);
}

export function writeInclude(writing: Writing, record: ReusableContentRecord): string {
  const { source, title } = record;
  const frontmatter = source?.frontmatter === undefined ? '' : loaded(writing, source.frontmatter);
  const body = writtenBody(writing, record);
  const text = ended(frontmatter + (source?.titleLine ?? ''), body) + body;
  const read = splitSource(text);
  if (frontmatter === '' && read.frontmatter.length > 1) return updateFrontmatter('', { title }) + body;
  const isSaid = includeTitle(read.fields.title, writing.pathOf(record.id) ?? '') === title;
  return isSaid ? text : updateFrontmatter(text, { title });
}
