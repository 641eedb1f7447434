import { normalize } from '../../../../content-engine/normalize.ts';
import { addToList } from '../../../../content-engine/add-to-list.ts';
import { freePaths, type OutlineRow } from '../../../../content-engine/folder/index.ts';
import type { ConvertedPage } from '../../../../content-engine/html/index.ts';
import { directoryOf } from '../../../../content-engine/links/index.ts';
import { foldPath, portablePath } from '../../../../content-engine/tree/index.ts';
import {
  addFiles,
  addPages,
  archiveIdentity,
  entryPathOf,
  Referenced,
  urlOf,
  type ArchiveJob,
  type ArchivePage,
} from './archive-job.ts';
import type { ArchiveEntry } from './archive.ts';
import { isHtml, isMarkdown, NOTION_NAME } from './archive-kind.ts';
import { outlineOf, type OutlineItem } from './outline.ts';

const ID = /[ -]([0-9a-f]{32})$/i;
const DATABASE = /\.csv$/i;

/** Links to pages of Notion by their ids lead to the imported pages. */
export function notionIdentity(url: string): string {
  const id = /^https?:\/\/(?:[\w-]+\.)?notion\.(?:so|site|com)\/[^?#]*?([0-9a-f]{32})(?:[?#]|$)/i.exec(
    url,
  )?.[1];
  return id === undefined ? archiveIdentity(url) : `notion:${id.toLowerCase()}`;
}

/**
 * An export of Notion. Names of files and folders end with ids, which are removed. A page is followed by its subpages in
 * the order in which it links to them. Databases are pages with a table.
 */
export async function readNotion(job: ArchiveJob): Promise<OutlineRow[]> {
  const { entries } = job.archive;
  const databases = databasesIn(entries);
  const isExport = entries.some(({ path }) => NOTION_NAME.test(path));
  // An export as HTML has a list of its pages.
  const isIndex = (path: string) => isExport && /(?:^|\/)index\.html$/.test(path);
  const isPage = ({ path }: ArchiveEntry) => isMarkdown(path) || (isHtml(path) && !isIndex(path));
  const isOwner = (entry: ArchiveEntry) => isPage(entry) || DATABASE.test(entry.path);
  const ownerOf = ownersOfFolders(new Set(entries.filter(isOwner).map(({ path }) => stemOf(path))));
  const stems = new Stems((folder) => ownerOf(folder)[0] ?? folder);
  const pages = entries.flatMap((entry): ArchivePage[] => {
    const stem = stemOf(entry.path);
    const isDatabase = databases.get(stem) === entry;
    if (!isPage(entry) && !isDatabase) return [];
    const path = `${stems.rename(stem)}.md`;
    const id = ID.exec(stem)?.[1];
    const page = { entry, path, aliases: id === undefined ? [] : [`https://www.notion.so/${id}`] };
    if (isDatabase) return [{ ...page, aliases: [...page.aliases, urlOf(`${stem}.csv`)], kind: 'csv' }];
    if (isHtml(entry.path)) return [{ ...page, kind: 'html', generator: 'notion' }];
    const hasProperties = ownerOf(directoryOf(entry.path)).some((owner) => databases.has(owner));
    return [{ ...page, kind: 'markdown', generator: 'notion', hasProperties }];
  });
  const converted = new Map<string, ConvertedLinks>();
  const referenced = new Referenced();
  await addPages(job, pages, (page, { links, images, ...rest }) => {
    referenced.add({ ...rest, links, images });
    converted.set(page.path, { stem: stemOf(page.entry.path), links });
  });
  const files = entries.filter(
    (entry) => !isPage(entry) && !DATABASE.test(entry.path) && referenced.has(entry),
  );
  await addFiles(
    job,
    files.map((entry) => ({ entry, path: stems.renameFile(entry.path) })),
  );
  return outlineOf(itemsOf(converted), converted.keys());
}

type ConvertedLinks = Pick<ConvertedPage, 'links'> & { readonly stem: string };

const stemOf = (path: string): string => path.replace(/(?:_all)?\.[^./]+$/, '');

/** Databases by stem. An export has the current view of a database and, as `_all`, the whole database. */
function databasesIn(entries: readonly ArchiveEntry[]): Map<string, ArchiveEntry> {
  const databases = new Map<string, ArchiveEntry>();
  const isWhole = ({ path }: ArchiveEntry) => /_all\.csv$/i.test(path);
  for (const entry of entries.filter(({ path }) => DATABASE.test(path)))
    if (isWhole(entry) || !databases.has(stemOf(entry.path))) databases.set(stemOf(entry.path), entry);
  // A database in a page is exported as HTML or Markdown, too.
  for (const { path } of entries) if (isMarkdown(path) || isHtml(path)) databases.delete(stemOf(path));
  return databases;
}

const withoutIds = (stem: string): string =>
  stem
    .split('/')
    .map((name) => name.replace(ID, ''))
    .join('/');

/**
 * The pages that a folder may hold the subpages of: the one with its stem. In some exports folders have no ids: then those with
 * its name.
 */
function ownersOfFolders(stems: ReadonlySet<string>): (folder: string) => readonly string[] {
  const byName = new Map<string, string[]>();
  for (const stem of stems) if (ID.test(stem)) addToList(byName, withoutIds(stem), stem);
  return (folder) =>
    stems.has(folder) ? [folder] : ID.test(folder) ? [] : (byName.get(withoutIds(folder)) ?? []);
}

/** Paths without ids. A page and the folder of its subpages have the same stem, and keep that in common. */
class Stems {
  readonly #renamed = new Map<string, string>([['', '']]);
  readonly #taken = new Set<string>();
  readonly #free = freePaths({ has: (path) => this.#taken.has(foldPath(path)) });
  readonly #ownerOf: (folder: string) => string;

  constructor(ownerOf: (folder: string) => string) {
    this.#ownerOf = ownerOf;
  }

  rename(stem: string): string {
    const known = this.#renamed.get(stem);
    if (known !== undefined) return known;
    const name = stem.slice(stem.lastIndexOf('/') + 1).replace(ID, '');
    // The stem has no extension: a dot in it must not attract the number.
    const free = this.#free(`${this.#inFolder(stem, name)}.md`).replace(/\.md$/, '');
    this.#taken.add(foldPath(`${free}.md`));
    this.#renamed.set(stem, free);
    return free;
  }

  renameFile = (path: string): string => this.#inFolder(path, path.slice(path.lastIndexOf('/') + 1));

  #inFolder(path: string, name: string): string {
    const folder = this.rename(this.#ownerOf(directoryOf(path)));
    return folder === '' ? portablePath(name) : `${folder}/${portablePath(name)}`;
  }
}

/** The pages as a tree by their folders; siblings in the order of the links of their parent, then by name. */
function itemsOf(pages: ReadonlyMap<string, ConvertedLinks>): OutlineItem[] {
  const byStem = new Map(Array.from(pages, ([path, { stem }]) => [normalize(stem), path]));
  const children = new Map<string, string[]>();
  const isListed = new Set<string>();
  const ownerOf = ownersOfFolders(new Set(byStem.keys()));
  const parentsOf = (stem: string): readonly string[] => {
    for (let folder = directoryOf(stem); folder !== ''; folder = directoryOf(folder)) {
      const owners = ownerOf(folder);
      if (owners.length > 0) return owners;
    }
    return [''];
  };
  const add = (stem: string, [parent = '']: readonly string[]) => {
    if (!isListed.has(stem)) addToList(children, parent, stem);
    isListed.add(stem);
  };
  for (const { stem, links } of pages.values()) {
    for (const url of links) {
      const target = stemOf(entryPathOf(url) ?? '');
      const parent = normalize(stem);
      if (byStem.has(target) && parentsOf(target).includes(parent)) add(target, [parent]);
    }
  }
  for (const stem of [...byStem.keys()].toSorted(byName.compare)) add(stem, parentsOf(stem));
  const items: OutlineItem[] = [];
  const addBelow = (parent: string, depth: number): void => {
    for (const stem of children.get(parent) ?? []) {
      items.push({ depth, title: '', path: byStem.get(stem) ?? '' });
      addBelow(stem, depth + 1);
    }
  };
  addBelow('', 1);
  return items;
}

const byName = new Intl.Collator('en', { numeric: true });
