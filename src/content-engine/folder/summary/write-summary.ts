import { addToList } from '../../add-to-list.ts';
import { findFolder, findPage, walkPages } from '../../tree/index.ts';
import { editSummary, type PlacedPage } from './edit-summary.ts';
import { inferOutline } from '../read/infer-outline.ts';
import { readOutline, type OutlineRow } from '../read/outline.ts';
import { matchesPage } from './entry-text.ts';
import { parseSummary, type SummaryItem } from './parse-summary.ts';
import { isPageIn, loadInline, loadText, type ExportContext } from '../write/export-context.ts';

/**
 * The text of SUMMARY.md: the imported text with the lines of changed pages updated. Undefined: the imported folder
 * had none, and its outline can still be inferred, or is still that of another program.
 */
export function writeSummary(context: ExportContext): string | undefined {
  const { tree, configuration, paths } = context;
  const folder = findFolder(tree);
  const pages: PlacedPage[] = [];
  for (const page of walkPages(tree)) pages.push(page);
  const isPage = (path: string) => isPageIn(context, path);
  const text = loadText(context, folder?.summary);
  const newSummary = () =>
    editSummary(context, { text: '# Table of contents\n\n', items: [], ids: [] }, pages);
  if (text === undefined) {
    if (folder === undefined) return newSummary();
    const rows =
      folder.navigation === undefined
        ? inferOutline([...paths.values()].filter(isPage), configuration)
        : (loadInline(context, folder.navigation) as readonly OutlineRow[]);
    return matchesPages(context, rows, pages) ? undefined : newSummary();
  }
  const items = parseSummary(text);
  const { rows } = readOutline(items, configuration.summary, isPage);
  const ids = idsOf(context, items, rows, pages);
  const isDeleted = (id: string | undefined) => id !== undefined && findPage(tree, id) === undefined;
  if (!ids.some(isDeleted) && matchesPages(context, rows, pages)) return text;
  const changed = editSummary(context, { text, items, ids }, pages);
  const changedItems = parseSummary(changed);
  const { rows: changedRows } = readOutline(changedItems, configuration.summary, isPage);
  // Text around the list, such as an unclosed comment, may hide a part of it.
  return matchesPages(context, changedRows, pages) ? changed : newSummary();
}

function matchesPages(
  context: ExportContext,
  rows: readonly OutlineRow[],
  pages: readonly PlacedPage[],
): boolean {
  if (rows.length !== pages.length) return false;
  for (const [index, row] of rows.entries()) {
    const { page, depth } = pages[index] ?? {};
    if (page === undefined || row.depth !== depth || !matchesPage(context, row, page)) return false;
  }
  return true;
}

/** The id of an entry whose page no longer exists. */
const DELETED = '';

/**
 * The page of each entry: the one at the time of the import, or one that it names now. Undefined: it never was a page.
 */
function idsOf(
  context: ExportContext,
  items: readonly SummaryItem[],
  rows: readonly OutlineRow[],
  pages: readonly PlacedPage[],
): (string | undefined)[] {
  const { summary } = findFolder(context.tree) ?? {};
  const listed = summary?.listed === undefined ? [] : loadInline(context, summary.listed);
  const isKnown = listed.length === items.length;
  const ids = items.map((_item, index) => (isKnown ? (listed[index] ?? undefined) : undefined));
  const taken = new Set(ids);
  const byName = new Map<string, string[]>();
  for (const { page } of pages) {
    if (taken.has(page.id)) continue;
    const name = nameOf(page.type, page.type === 'document' ? context.pathOf(page.id) : page.title);
    addToList(byName, name, page.id);
  }
  for (const row of rows) {
    const [at, id] = [row.item ?? -1, ids[row.item ?? -1]];
    if (id !== undefined && findPage(context.tree, id) !== undefined) continue;
    ids[at] =
      byName.get(nameOf(row.type, row.type === 'document' ? row.path : row.title))?.shift() ?? DELETED;
  }
  return ids;
}

const nameOf = (type: string, name = ''): string => `${type} ${name}`;
