import { addToList } from '../../add-to-list.ts';
import { eachInSteps } from '../../in-steps.ts';
import { findFolder, findPage, walkPages } from '../../tree/index.ts';
import { editSummary, type PlacedPage } from './edit-summary.ts';
import { inferOutline } from '../infer-outline.ts';
import { readOutlineInSteps, type OutlineRow } from '../outline.ts';
import { matchesPage } from './entry-text.ts';
import { parseSummaryInSteps, type SummaryItem } from './parse-summary.ts';
import { isPageIn, loadInline, loadText, type ExportContext } from '../export-context.ts';

/**
 * The text of SUMMARY.md: the imported text with the lines of changed pages updated. Undefined: the imported folder
 * had none, and its outline can still be inferred.
 */
export function* writeSummary(context: ExportContext): Generator<void, string | undefined, void> {
  const { tree, configuration, paths } = context;
  const folder = findFolder(tree);
  const pages: PlacedPage[] = [];
  yield* eachInSteps(walkPages(tree), (page) => pages.push(page));
  const isPage = (path: string) => isPageIn(context, path);
  const text = loadText(context, folder?.summary);
  const newSummary = () =>
    editSummary(context, { text: '# Table of contents\n\n', items: [], ids: [] }, pages);
  if (text === undefined) {
    if (folder === undefined) return yield* newSummary();
    const inferred = yield* inferOutline([...paths.values()].filter(isPage), configuration);
    return (yield* matchesPages(context, inferred, pages)) ? undefined : yield* newSummary();
  }
  const items = yield* parseSummaryInSteps(text);
  const { rows } = yield* readOutlineInSteps(items, configuration.summary, isPage);
  const ids = yield* idsOf(context, items, rows, pages);
  const isDeleted = (id: string | undefined) => id !== undefined && findPage(tree, id) === undefined;
  if (!ids.some(isDeleted) && (yield* matchesPages(context, rows, pages))) return text;
  yield;
  const changed = yield* editSummary(context, { text, items, ids }, pages);
  yield;
  const changedItems = yield* parseSummaryInSteps(changed);
  const { rows: changedRows } = yield* readOutlineInSteps(changedItems, configuration.summary, isPage);
  // Text around the list, such as an unclosed comment, may hide a part of it.
  return (yield* matchesPages(context, changedRows, pages)) ? changed : yield* newSummary();
}

function* matchesPages(
  context: ExportContext,
  rows: readonly OutlineRow[],
  pages: readonly PlacedPage[],
): Generator<void, boolean, void> {
  if (rows.length !== pages.length) return false;
  for (const [index, row] of rows.entries()) {
    const { page, depth } = pages[index] ?? {};
    if (page === undefined || row.depth !== depth || !matchesPage(context, row, page)) return false;
    yield;
  }
  return true;
}

/** The id of an entry whose page no longer exists. */
const DELETED = '';

/**
 * The page of each entry: the one at the time of the import, or one that it names now. Undefined: it never was a page.
 */
function* idsOf(
  context: ExportContext,
  items: readonly SummaryItem[],
  rows: readonly OutlineRow[],
  pages: readonly PlacedPage[],
): Generator<void, (string | undefined)[], void> {
  const { summary } = findFolder(context.tree) ?? {};
  const listed = summary?.listed === undefined ? [] : loadInline(context, summary.listed);
  const isKnown = listed.length === items.length;
  const ids = items.map((_item, index) => (isKnown ? (listed[index] ?? undefined) : undefined));
  yield;
  const taken = new Set(ids);
  const byName = new Map<string, string[]>();
  yield* eachInSteps(pages, ({ page }) => {
    if (taken.has(page.id)) return;
    const name = nameOf(page.type, page.type === 'document' ? context.pathOf(page.id) : page.title);
    addToList(byName, name, page.id);
  });
  yield* eachInSteps(rows, (row) => {
    const [at, id] = [row.item ?? -1, ids[row.item ?? -1]];
    if (id !== undefined && findPage(context.tree, id) !== undefined) return;
    ids[at] =
      byName.get(nameOf(row.type, row.type === 'document' ? row.path : row.title))?.shift() ?? DELETED;
  });
  return ids;
}

const nameOf = (type: string, name = ''): string => `${type} ${name}`;
