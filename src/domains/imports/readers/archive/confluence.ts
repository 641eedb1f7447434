import { normalize } from '../../../../content-engine/normalize.ts';
import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import { portablePath } from '../../../../content-engine/tree/index.ts';
import { ImportError } from '../../folder/imported-folder.ts';
import {
  addFiles,
  addPages,
  entryPathOf,
  Referenced,
  readEntry,
  urlOf,
  type ArchiveJob,
  type ArchivePage,
} from './archive-job.ts';
import { MAX_HTML } from '../../limits.ts';
import { isConfluenceXml, isHtml } from './archive-kind.ts';
import { listedItems, outlineOf, type OutlineItem } from './outline.ts';

const INDEX = 'index.html';

/** A space of Confluence, exported as HTML. Its index lists the pages as a tree. */
export async function readConfluence(job: ArchiveJob): Promise<OutlineRow[]> {
  const { collector, archive } = job;
  if (isConfluenceXml(archive.entries.map(({ path }) => path)))
    throw new ImportError(
      422,
      'This is an XML export of Confluence, which contains no pages. Export the space as HTML.',
    );
  const pages = archive.entries
    .filter(({ path }) => isHtml(path) && path !== INDEX)
    .map((entry): ArchivePage => ({
      entry,
      path: collector.freePath(pagePathOf(entry.path)),
      kind: 'html',
      generator: 'confluence',
    }));
  const referenced = new Referenced();
  const paths = new Map<string, string>();
  await addPages(job, pages, (page, converted) => {
    referenced.add(converted);
    paths.set(normalize(page.entry.path), page.path);
  });
  const files = archive.entries.filter((entry) => !isHtml(entry.path) && referenced.has(entry));
  await addFiles(
    job,
    files.map((entry) => ({ entry, path: portablePath(entry.path) })),
  );
  return outlineOf(await itemsOfIndex(job, paths), paths.values());
}

/** `Release-Notes_1048583.html` → `Release-Notes.md`. A page without a name has its number. */
const pagePathOf = (path: string): string =>
  `${portablePath(path.replace(/\.[^./]+$/, '').replace(/(?<=[^/])_\d+$/, ''))}.md`;

async function itemsOfIndex(
  { work, archive }: ArchiveJob,
  paths: ReadonlyMap<string, string>,
): Promise<OutlineItem[]> {
  const index = archive.entries.find(({ path }) => path === INDEX);
  const bytes = index && (await readEntry(index, MAX_HTML));
  if (bytes === undefined || typeof bytes === 'string') return [];
  const [outcome] = await work.convert([{ kind: 'html', bytes, url: urlOf(INDEX), generator: 'confluence' }]);
  if (outcome === undefined || 'failure' in outcome) return [];
  return listedItems(outcome.page.markdown, (href) => paths.get(entryPathOf(href) ?? '')).filter(
    ({ path }) => path !== undefined,
  );
}
