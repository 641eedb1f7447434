import { findFolder, findPage, walkPages } from '../../tree/index.ts';
import { editSummary, type Listed } from './edit-summary.ts';
import { inferOutline } from '../infer-outline.ts';
import { readOutline, type Row } from '../outline.ts';
import { says } from './entry-text.ts';
import { parseSummary, type SummaryItem } from './parse-summary.ts';
import { isPageIn, loaded, loadedText, type Writing } from '../export-context.ts';

/**
 * The text of SUMMARY.md: as it was, but for the lines of pages that are not. Undefined: a folder that had none still
 * needs none.
 */
export function writeSummary(writing: Writing): string | undefined {
  const { tree, configuration, paths } = writing;
  const folder = findFolder(tree);
  const pages = [...walkPages(tree)];
  const isPage = (path: string) => isPageIn(writing, path);
  const rowsOf = (items: readonly SummaryItem[]) => readOutline(items, configuration.summary, isPage).rows;
  const text = loadedText(writing, folder?.summary);
  const clean = () => editSummary(writing, { text: '# Table of contents\n\n', items: [], ids: [] }, pages);
  if (text === undefined) {
    const isInferred = (): boolean =>
      isSaid(writing, inferOutline([...paths.values()].filter(isPage), configuration), pages);
    return folder !== undefined && isInferred() ? undefined : clean();
  }
  const items = parseSummary(text);
  const rows = rowsOf(items);
  const ids = idsOf(writing, items, rows, pages);
  const isGone = (id: string | undefined) => id !== undefined && findPage(tree, id) === undefined;
  if (!ids.some(isGone) && isSaid(writing, rows, pages)) return text;
  const changed = editSummary(writing, { text, items, ids }, pages);
  // Something around the list may swallow a part of it, such as a comment without an end.
  return isSaid(writing, rowsOf(parseSummary(changed)), pages) ? changed : clean();
}

const isSaid = (writing: Writing, rows: readonly Row[], pages: readonly Listed[]): boolean =>
  rows.length === pages.length &&
  rows.every((row, index) => row.depth === pages[index]?.depth && says(writing, row, pages[index].page));

/** What is no page, and what is one no longer. */
const GONE = '';

/**
 * The page of each entry: the one that it was when it was read, or one that it names now. Undefined: it is none, and
 * never was.
 */
function idsOf(
  writing: Writing,
  items: readonly SummaryItem[],
  rows: readonly Row[],
  pages: readonly Listed[],
): (string | undefined)[] {
  const { summary } = findFolder(writing.tree) ?? {};
  const listed = summary?.listed === undefined ? [] : loaded(writing, summary.listed);
  const isKnown = listed.length === items.length;
  const ids = items.map((_item, index) => (isKnown ? (listed[index] ?? undefined) : undefined));
  const taken = new Set(ids);
  const byName = new Map<string, string[]>();
  for (const { page } of pages) {
    if (taken.has(page.id)) continue;
    const name = nameOf(page.type, page.type === 'document' ? writing.pathOf(page.id) : page.title);
    byName.set(name, [...(byName.get(name) ?? []), page.id]);
  }
  for (const row of rows) {
    const [at, id] = [row.item ?? -1, ids[row.item ?? -1]];
    if (id !== undefined && findPage(writing.tree, id) !== undefined) continue;
    ids[at] = byName.get(nameOf(row.type, row.type === 'document' ? row.path : row.title))?.shift() ?? GONE;
  }
  return ids;
}

const nameOf = (type: string, name = ''): string => `${type} ${name}`;
