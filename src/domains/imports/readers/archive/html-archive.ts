import { normalize } from '../../../../content-engine/normalize.ts';
import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import type { ConvertedPage, Generator, NavigationItem } from '../../../../content-engine/html/index.ts';
import { portablePath } from '../../../../content-engine/tree/index.ts';
import {
  addFiles,
  addPages,
  entryPathOf,
  Referenced,
  type ArchiveJob,
  type ArchivePage,
} from './archive-job.ts';
import { isDocx, isHtml } from './archive-kind.ts';
import { addDocuments } from '../docx.ts';
import { pagePathOf } from './markdown-archive.ts';
import { outlineOf } from './outline.ts';

/** Pages that programs generate for searching and for errors. */
const GENERATED =
  /(?:^|\/)(?:404|search|genindex(?:-\w+)?|py-modindex|modindex)\.html?$|(?:^|\/)_(?:static|modules|sources)\//i;

/** A website as files. The navigation of its pages orders them; without one, their folders do. */
export async function readHtmlArchive(
  job: ArchiveJob,
  generator?: Generator,
): Promise<OutlineRow[] | undefined> {
  const { collector, archive } = job;
  const entries = archive.entries.filter(({ path }) => !GENERATED.test(path));
  const pages = entries
    .filter(({ path }) => isHtml(path))
    .map((entry): ArchivePage => {
      const page = { entry, path: collector.freePath(pagePathOf(entry.path)), kind: 'html' } as const;
      return generator ? { ...page, generator } : page;
    });
  const referenced = new Referenced();
  const paths = new Map<string, string>();
  let navigation: readonly NavigationItem[] = [];
  await addPages(job, pages, (page, converted) => {
    referenced.add(converted);
    paths.set(normalize(page.entry.path), page.path);
    navigation = longer(navigation, converted);
  });
  const documents = entries
    .filter(({ path }) => isDocx(path))
    .map((entry) => ({ entry, path: collector.freePath(pagePathOf(entry.path)) }));
  await addDocuments(job, documents);
  await addFiles(
    job,
    entries
      .filter((entry) => !isHtml(entry.path) && !isDocx(entry.path) && referenced.has(entry))
      .map((entry) => ({ entry, path: portablePath(entry.path) })),
  );
  if (navigation.length === 0) return undefined;
  const items = navigation.map(({ depth, title, url }) => {
    const path = url === undefined ? undefined : paths.get(entryPathOf(url) ?? '');
    return { depth, title, ...(path !== undefined && { path }) };
  });
  return outlineOf(items, [...paths.values(), ...documents.map(({ path }) => path)]);
}

/** Many programs show only a part of the navigation on each page: the longest is the most complete. */
const longer = (
  current: readonly NavigationItem[],
  { navigation }: ConvertedPage,
): readonly NavigationItem[] => (navigation.length > current.length ? navigation : current);
