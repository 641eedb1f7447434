import { stringify } from 'yaml';
import { encodePath, folderOf, isOutside, relativePath, targetOf } from '../links/index.ts';
import { isSame } from '../map/index.ts';
import { updateTitle } from '../markdown/index.ts';
import { defaultHref } from '../markdown/refs.ts';
import { findFolder, findPage, pathOf, slugOf, walkPages } from '../tree/index.ts';
import type { ComputedPage, ContentRef, GroupPage, PageRecord } from '../tree/index.ts';
import { isNumbered } from './identity.ts';
import { inferOutline } from './infer.ts';
import { computedTitle, readOutline, type Row } from './outline.ts';
import { groupSlug } from './read-pages.ts';
import { targetFrom } from './resolve-links.ts';
import { parseSummary, type SummaryItem } from './summary.ts';
import { loadedText, type Writing } from './writing.ts';

interface Listed {
  readonly page: PageRecord;
  readonly depth: number;
}

/**
 * The text of SUMMARY.md: as it was while it says what the tree says, else with the lines that still do. Undefined: a
 * folder that had none still needs none.
 */
export function writeSummary(writing: Writing): string | undefined {
  const { tree, configuration, paths } = writing;
  const folder = findFolder(tree);
  const pages = [...walkPages(tree)];
  const isPage = (path: string) => findPage(tree, writing.idAt(path) ?? '')?.type === 'document';
  const text = loadedText(writing, folder?.summary);
  const clean = () => `# Table of contents\n\n${listOf(writing, pages, [], '  ')}`;
  if (text === undefined) {
    const isInferred = (): boolean =>
      isSaid(writing, inferOutline([...paths.values()].filter(isPage), configuration), pages);
    return folder !== undefined && isInferred() ? undefined : clean();
  }
  const rowsOf = (items: readonly SummaryItem[]) => readOutline(items, configuration.summary, isPage).rows;
  const items = parseSummary(text);
  const rows = rowsOf(items);
  if (isSaid(writing, rows, pages)) return text;
  const changed = around(text, items, listOf(writing, pages, rows, indentOf(items)));
  // Something around the list may swallow it, such as a comment without an end.
  return isSaid(writing, rowsOf(parseSummary(changed)), pages) ? changed : clean();
}

/** Another list in the place of the one that was. */
function around(text: string, items: readonly SummaryItem[], list: string): string {
  const before = text.slice(0, items[0]?.start);
  const after = items.length === 0 ? '' : text.slice(items.at(-1)?.end);
  const head = before.trim() === '' ? before : `${before.trimEnd()}\n\n`;
  return (head + list + after).replaceAll(/\r\n?|\n/g, text.includes('\r\n') ? '\r\n' : '\n');
}

const isSaid = (writing: Writing, rows: readonly Row[], pages: readonly Listed[]): boolean =>
  rows.length === pages.length &&
  rows.every((row, index) => row.depth === pages[index]?.depth && says(writing, row, pages[index].page));

/** Whether a row would be read as this page. A slug that was taken got a number. */
function says(writing: Writing, row: Row, page: PageRecord): boolean {
  if (row.type === 'document' && page.type === 'document') {
    const isLabelled =
      row.label === undefined ? page.label === undefined : row.label === (page.label ?? page.title);
    return isLabelled && writing.pathOf(page.id) === row.path;
  }
  if (row.type === 'group' && page.type === 'group') {
    return row.title === page.title && isNumbered(page.slug, groupSlug(row) || 'page');
  }
  if (row.type === 'link' && page.type === 'link') {
    return (
      row.title === page.title &&
      isSame(targetFrom(writing, writing.configuration.summary, row.href), page.target)
    );
  }
  return (
    row.type === 'computed' &&
    page.type === 'computed' &&
    row.title === page.title &&
    isSame(row.computed, page.computed)
  );
}

const indentOf = (items: readonly SummaryItem[]): string => {
  const indents = items.flatMap((item) => ('indent' in item && item.indent > 0 ? [item.indent] : []));
  return ' '.repeat(indents.length === 0 ? 2 : Math.min(...indents.slice(0, 100)));
};

function listOf(writing: Writing, pages: readonly Listed[], rows: readonly Row[], unit: string): string {
  const lineOf = reusable(writing, rows);
  const lines: string[] = [];
  const apart = (line: string) => lines.push(...(lines.length === 0 ? [] : ['']), line, '');
  let base = 0;
  for (const { page, depth } of pages) {
    const text = lineOf(page) ?? newLine(writing, page);
    if (page.type === 'group') {
      apart(text);
      base = 1;
      continue;
    }
    if (depth === 1 && base === 1) {
      apart('***');
      base = 0;
    }
    for (const line of text.split('\n')) lines.push(line === '' ? '' : unit.repeat(depth - 1 - base) + line);
  }
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** How a page was spelled before, if that still says what it is. */
function reusable(writing: Writing, rows: readonly Row[]): (page: PageRecord) => string | undefined {
  const byName = new Map<string, Row[]>();
  const nameOf = (name: string, type: string) => `${type} ${name}`;
  for (const row of rows) {
    const name = nameOf(row.type === 'document' ? row.path : row.title, row.type);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [row]);
    else known.push(row);
  }
  return (page) => {
    const name = page.type === 'document' ? (writing.pathOf(page.id) ?? '') : page.title;
    return byName.get(nameOf(name, page.type))?.find((row) => says(writing, row, page))?.text;
  };
}

function newLine(writing: Writing, page: PageRecord): string {
  switch (page.type) {
    case 'document': {
      const href = hrefTo(writing, page.id) ?? '';
      const label = page.label === undefined ? '' : ` "${escaped(page.label).replaceAll('"', '\\"')}"`;
      return `* [${escaped(page.title)}](${destination(href)}${label})`;
    }
    case 'group':
      return groupLine(page);
    case 'link':
      return `* [${escaped(page.title)}](${destination(linkHref(writing, page.target))})`;
    case 'computed':
      return computedLines(page);
  }
}

function groupLine({ title, slug }: GroupPage): string {
  const anchor = slugOf(title) === slug ? '' : ` <a href="#${slug}" id="${slug}"></a>`;
  return `## ${escaped(title)}${anchor}`;
}

function computedLines({ title, computed }: ComputedPage): string {
  const { type, props, dependencies } = computed;
  const said = { ...(title === computedTitle(computed) ? {} : { title }), type, props, dependencies };
  const yaml = stringify(said, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  return `* \`\`\`yaml\n${`${yaml}\n\`\`\``.replaceAll(/^(?=.)/gm, '  ')}`;
}

const escaped = (words: string): string => updateTitle('', words).slice(2).trimEnd();

/** With blanks or parentheses only in angle brackets. */
const destination = (href: string): string =>
  /[\s()<>\\]/.test(href)
    ? `<${href.replaceAll(/[\r\n]/g, encodeURIComponent).replaceAll(/[\\<>]/g, (char) => `\\${char}`)}>`
    : href;

/** The number sign behind a page makes an entry a link to it, and not the page itself. */
function linkHref(writing: Writing, ref: ContentRef): string {
  const id = targetOf(ref);
  const href =
    id === undefined || ('space' in ref && ref.space !== undefined) ? undefined : hrefTo(writing, id);
  if (href === undefined) return defaultHref(ref);
  if (ref.kind === 'anchor') return `${href}#${encodePath(ref.anchor)}`;
  return ref.kind === 'page' ? `${href}#` : href;
}

function hrefTo({ tree, pathOf: fileOf, configuration }: Writing, id: string): string | undefined {
  const [file, slugs] = [fileOf(id), pathOf(tree, id)];
  if (file === undefined) return slugs === undefined ? undefined : encodePath(`/pages/${slugs}`);
  const href = encodePath(relativePath(folderOf(configuration.summary), file));
  return isOutside(href) ? `./${href}` : href;
}
