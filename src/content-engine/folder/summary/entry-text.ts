import { stringify } from 'yaml';
import { directoryOf, encodePath, isExternal, relativePath, targetOf } from '../../links/index.ts';
import { isSame } from '../../map/index.ts';
import { updateTitle } from '../../markdown/index.ts';
import { defaultHref } from '../../document/index.ts';
import { pathOf, slugOf } from '../../tree/index.ts';
import type { ComputedPage, ContentRef, GroupPage, PageRecord } from '../../tree/index.ts';
import { isNumbered } from '../read/identity.ts';
import { computedTitle } from '../../computed/index.ts';
import type { ListedPage } from '../read/outline.ts';
import { groupSlug } from '../read/read-pages.ts';
import { targetFrom } from '../read/resolve-links.ts';
import { ENTRY } from './parse-summary.ts';
import { hasOwnTitle } from '../write/write-page.ts';
import type { ExportContext } from '../write/export-context.ts';

/** Whether a row would be imported as this page. A number that made a slug unique is ignored. */
export function matchesPage(context: ExportContext, row: ListedPage, page: PageRecord): boolean {
  if (row.type === 'document' && page.type === 'document') {
    const isLabelled =
      row.label === undefined ? page.label === undefined : row.label === (page.label ?? page.title);
    const isTitled = row.title === undefined || row.title === page.title || hasOwnTitle(context, page);
    return isLabelled && isTitled && context.pathOf(page.id) === row.path;
  }
  if (row.type === 'group' && page.type === 'group') {
    return row.title === page.title && isNumbered(page.slug, groupSlug(row) || 'page');
  }
  if (row.type === 'link' && page.type === 'link') {
    return (
      row.title === page.title &&
      isSame(targetFrom(context, context.configuration.summary, row.href), page.target)
    );
  }
  return (
    row.type === 'computed' &&
    page.type === 'computed' &&
    row.title === page.title &&
    isSame(row.computed, page.computed)
  );
}

/**
 * Candidate texts of an entry, those with the fewest changes first: unchanged, with another href, with another name,
 * with both; finally a new line. The caller takes the first that is read as the page.
 */
export function* entryTexts(
  context: ExportContext,
  page: PageRecord,
  before: string | undefined,
): Generator<string> {
  if (before !== undefined) {
    yield before;
    if (page.type === 'group')
      yield before.replace(/^( {0,3}#+).*/, (_line, level: string) => level + groupText(page));
    const parts = ENTRY.exec(before);
    const isEntry = page.type === 'document' || page.type === 'link';
    if (isEntry && parts !== null) {
      const { marker = '', title = '', target = '', label, rest = '' } = parts.groups ?? {};
      const own = page.type === 'document' ? page.label : undefined;
      const name = own ?? page.title;
      const href = destination(hrefOf(context, page));
      const quoted = label === undefined ? '' : ` ${label}`;
      const forms = [
        [title, quoted],
        ...(own === undefined ? [[title, '']] : []),
        label === undefined ? [escaped(name), ''] : [title, ` ${inQuotes(name)}`],
        [escaped(page.title), quoted],
        [escaped(page.title), own === undefined ? '' : ` ${inQuotes(own)}`],
      ] as const;
      for (const [text, quotedLabel] of forms) {
        for (const to of [target, href]) yield `${marker}[${text}](${to}${quotedLabel})${rest}`;
      }
    }
  }
  yield newLine(context, page);
}

function newLine(context: ExportContext, page: PageRecord): string {
  switch (page.type) {
    case 'document': {
      const label = page.label === undefined ? '' : ` ${inQuotes(page.label)}`;
      return `* [${escaped(page.title)}](${destination(hrefOf(context, page))}${label})`;
    }
    case 'group':
      return `##${groupText(page)}`;
    case 'link':
      return `* [${escaped(page.title)}](${destination(hrefOf(context, page))})`;
    case 'computed':
      return computedLines(page);
  }
}

function groupText({ title, slug }: GroupPage): string {
  const anchor = slugOf(title) === slug ? '' : ` <a href="#${slug}" id="${slug}"></a>`;
  return ` ${escaped(title)}${anchor}`;
}

function computedLines({ title, computed }: ComputedPage): string {
  const { type, props, dependencies } = computed;
  const source = { ...(title === computedTitle(computed) ? {} : { title }), type, props, dependencies };
  const yaml = stringify(source, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  return `* \`\`\`yaml\n${`${yaml}\n\`\`\``.replaceAll(/^(?=.)/gm, '  ')}`;
}

const escaped = (words: string): string => updateTitle('', words).slice(2).trimEnd();

const inQuotes = (words: string): string => `"${escaped(words).replaceAll('"', '\\"')}"`;

/** Spaces and parentheses need angle brackets. */
const destination = (href: string): string =>
  /[\s()<>\\]/.test(href)
    ? `<${href.replaceAll(/[\r\n]/g, encodeURIComponent).replaceAll(/[\\<>]/g, (char) => `\\${char}`)}>`
    : href;

const hrefOf = (context: ExportContext, page: PageRecord): string =>
  page.type === 'link' ? linkHref(context, page.target) : (hrefTo(context, page.id) ?? '');

/** A trailing number sign makes an entry a link to the page instead of the page itself. */
function linkHref(context: ExportContext, ref: ContentRef): string {
  const id = targetOf(ref);
  const href =
    id === undefined || ('space' in ref && ref.space !== undefined) ? undefined : hrefTo(context, id);
  if (href === undefined) return defaultHref(ref);
  if (ref.kind === 'anchor') return `${href}#${encodePath(ref.anchor)}`;
  return ref.kind === 'page' ? `${href}#` : href;
}

function hrefTo({ tree, pathOf: fileOf, configuration }: ExportContext, id: string): string | undefined {
  const [file, slugs] = [fileOf(id), pathOf(tree, id)];
  if (file === undefined) return slugs === undefined ? undefined : encodePath(`/pages/${slugs}`);
  const href = encodePath(relativePath(directoryOf(configuration.summary), file));
  return isExternal(href) ? `./${href}` : href;
}
