import {
  CONFIGURATION,
  contentKinds,
  isNavigationFile,
  isPagePath,
} from '../../../../content-engine/folder/index.ts';
import { INCLUDES } from '../../../../content-engine/links/index.ts';
import { portablePath } from '../../../../content-engine/tree/index.ts';
import { MAX_HTML } from '../../limits.ts';
import type { ArchiveEntry } from './archive.ts';
import { isDocx, isHtml, isMarkdown } from './archive-kind.ts';
import { addFiles, addPages, readEntry, type ArchiveJob, type ArchivePage } from './archive-job.ts';
import { addDocuments } from '../docx.ts';

/**
 * Markdown keeps its paths and texts, so that an export equals the archive. HTML pages and Word documents among it are
 * converted, except in a book: what is no Markdown there is a file for download.
 */
export async function readMarkdownArchive(job: ArchiveJob): Promise<undefined> {
  const { collector, archive } = job;
  const { entries } = archive;
  const settings = new Set(await settingsOf(entries));
  const isBook = [...settings].some(
    ({ path }) => path === CONFIGURATION || isSummary(path) || isNavigationFile(path),
  );
  const pages: ArchivePage[] = [];
  const documents: { entry: ArchiveEntry; path: string }[] = [];
  const files: { entry: ArchiveEntry; path: string }[] = [];
  for (const entry of entries) {
    if (settings.has(entry)) await addSetting(job, entry);
    else if (isPagePath(entry.path))
      pages.push({ entry, path: collector.freePath(entry.path), kind: 'markdown' });
  }
  for (const entry of entries) {
    const isConverted = !isBook && !entry.path.includes('.gitbook/');
    const asPage = () => collector.freePath(pagePathOf(entry.path));
    if (settings.has(entry) || isPagePath(entry.path)) continue;
    if (isConverted && isMarkdown(entry.path)) pages.push({ entry, path: asPage(), kind: 'markdown' });
    else if (isConverted && isHtml(entry.path)) pages.push({ entry, path: asPage(), kind: 'html' });
    else if (isConverted && isDocx(entry.path)) documents.push({ entry, path: asPage() });
    else files.push({ entry, path: entry.path });
  }
  for (const { entry } of documents) collector.found(entry.path);
  await addPages(job, pages);
  await addDocuments(job, documents);
  await addFiles(job, files);
  return undefined;
}

/** The path of a page that was not Markdown. */
export function pagePathOf(path: string): string {
  const name = portablePath(path.replace(/\.[^./]+$/, ''));
  return `${name.replace(/(^|\/)index$/i, '$1README')}.md`;
}

const isSummary = (path: string): boolean => /(?:^|\/)SUMMARY\.md$/.test(path);

/** Settings are limited further when they are read as such. */
const MAX_SETTING = MAX_HTML;

/** The files that define the book: they are read with it, and are no pages. */
async function settingsOf(entries: readonly ArchiveEntry[]): Promise<readonly ArchiveEntry[]> {
  const found = entries.find(({ path }) => path === CONFIGURATION);
  const configuration = found && (await readEntry(found, MAX_SETTING));
  const kindOf = contentKinds(typeof configuration === 'string' ? undefined : configuration);
  return entries.filter(({ path, size }) => {
    if (kindOf(path, size) === 'navigation') return true;
    const isNamed = isSummary(path) || (/\.md$/i.test(path) && `/${path}`.includes(`/${INCLUDES}/`));
    return isNamed || (kindOf(path) === 'setting' && !/\.md$/i.test(path));
  });
}

async function addSetting({ collector }: ArchiveJob, entry: ArchiveEntry): Promise<void> {
  const bytes = await readEntry(entry, MAX_SETTING);
  if (typeof bytes === 'string') collector.skip(entry.path, bytes);
  else collector.addSetting(entry.path, bytes);
}
