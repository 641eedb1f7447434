import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import { decode } from '../../../../content-engine/links/index.ts';
import { cleanTitle, portablePath } from '../../../../content-engine/tree/index.ts';
import type { ArchiveEntry } from './archive.ts';
import { isMarkdown, WIKI_FRAME } from './archive-kind.ts';
import { addFiles, addPages, readEntry, urlOf, type ArchiveJob, type ArchivePage } from './archive-job.ts';
import { listedItems, outlineOf, type OutlineItem } from './outline.ts';
import { replaceWikiLinks } from './wiki-links.ts';

/** Other markup that GitHub renders. */
const OTHER_MARKUP = /\.(?:mediawiki|wiki|rst|org|textile|asciidoc|adoc|creole|pod|rdoc)$/i;

/** A wiki of GitHub: pages are found by name, whatever their folder is, and the sidebar orders them. */
export async function readGitHubWiki(job: ArchiveJob): Promise<OutlineRow[]> {
  const { collector, archive } = job;
  const entries = archive.entries.filter(({ path }) => !WIKI_FRAME.test(path));
  const pages = new Map<string, ArchivePage>();
  const edit = (text: string) => replaceWikiLinks(text, (name) => pages.get(keyOfLink(name))?.entry.path);
  for (const entry of entries.filter(({ path }) => isMarkdown(path))) {
    const key = keyOf(entry.path);
    const path = collector.freePath(key === 'home' ? 'README.md' : `${portablePath(stemOf(entry.path))}.md`);
    const aliases = [urlOf(nameOf(entry.path)), urlOf(`wiki/${nameOf(entry.path)}`)];
    if (!pages.has(key)) pages.set(key, { entry, path, kind: 'markdown', aliases, edit });
    else collector.skip(entry.path, 'another page of the wiki has the same name');
  }
  const others = entries.filter(({ path }) => !isMarkdown(path));
  for (const { path } of others.filter(({ path }) => OTHER_MARKUP.test(path)))
    collector.skip(path, 'only Markdown pages of a wiki are imported; convert it to Markdown');
  const imported = new Set<string>();
  await addPages(job, [...pages.values()], (page) => imported.add(page.path));
  await addFiles(
    job,
    others.filter(({ path }) => !OTHER_MARKUP.test(path)).map((entry) => ({ entry, path: entry.path })),
  );
  return outlineOf(await itemsOf(job, pages), imported);
}

const nameOf = (path: string): string => stemOf(path.slice(path.lastIndexOf('/') + 1));
const stemOf = (path: string): string => path.replace(/\.[^./]+$/, '');

/** How GitHub compares names of pages. */
const keyOfName = (name: string): string => name.replace(/[ -]+/g, '-').toLowerCase();
const keyOf = (path: string): string => keyOfName(nameOf(path));

/** The key of the page that a link names: with or without its folder and extension. */
const keyOfLink = (link: string): string =>
  isMarkdown(link) ? keyOf(link) : keyOfName(link.replace(/^.*\//, ''));

async function itemsOf(
  { archive }: ArchiveJob,
  pages: ReadonlyMap<string, ArchivePage>,
): Promise<OutlineItem[]> {
  const home = pages.get('home');
  const titled = (page: ArchivePage, depth: number): OutlineItem => ({
    depth,
    title: cleanTitle(nameOf(page.entry.path).replaceAll('-', ' ')) ?? '',
    path: page.path,
  });
  const sidebar = archive.entries.find(({ path }) => /^_Sidebar\.\w+$/i.test(path) && isMarkdown(path));
  const listed = sidebar ? await itemsOfSidebar(sidebar, pages) : [];
  const listedPaths = new Set(listed.map(({ path }) => path));
  const rest = [...pages.values()]
    .filter((page) => page !== home && !listedPaths.has(page.path))
    .map((page) => titled(page, 1));
  // Entries of a list have at least the depth 2, below the headings of the sidebar.
  return [...(home && !listedPaths.has(home.path) ? [titled(home, 2)] : []), ...listed, ...rest];
}

const MAX_SIDEBAR = 256 * 1024;

async function itemsOfSidebar(
  sidebar: ArchiveEntry,
  pages: ReadonlyMap<string, ArchivePage>,
): Promise<OutlineItem[]> {
  const bytes = await readEntry(sidebar, MAX_SIDEBAR);
  if (typeof bytes === 'string') return [];
  const text = replaceWikiLinks(Buffer.from(bytes).toString(), (name) => name);
  return listedItems(text, (href) => pages.get(keyOfLink(decode(href.replace(/[?#].*/s, ''))))?.path);
}
