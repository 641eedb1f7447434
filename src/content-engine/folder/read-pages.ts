import {
  chosenSlug,
  foldSlug,
  ROOT,
  slugOf,
  uniqueSlug,
  type DocumentPage,
  type PageRecord,
} from '../tree/index.ts';
import type { Configuration } from './configuration.ts';
import { membersOf } from './frontmatter-fields.ts';
import type { Identity } from './identity.ts';
import { titleFrom } from './infer-outline.ts';
import type { Row } from './outline.ts';
import { positionsOf } from './positions.ts';
import { readBody, sourceMembers, type Reading } from './import-context.ts';
import { ownTitle, splitPage } from './split-file.ts';

/** Not yet among its siblings: its slug is the one that it wants. */
type Unplaced<P = PageRecord> = P extends unknown ? Omit<P, 'position' | 'parent'> : never;

/** The pages of an outline, each below its parent and behind the one before it; and their ids, row by row. */
export function readPages(
  reading: Reading,
  configuration: Configuration,
  rows: readonly Row[],
  identity: Identity,
): { readonly pages: PageRecord[]; readonly ids: readonly string[] } {
  const ids: string[] = [];
  const holders: string[] = [];
  const siblings = new Map<string, Unplaced[]>();
  for (const row of rows) {
    const parent = holders[row.depth - 2];
    const page = readRow(reading, configuration, row, parent, identity);
    ids.push(page.id);
    holders.splice(row.depth - 1);
    if ('slug' in page) holders[row.depth - 1] = page.id;
    const level = siblings.get(parent ?? ROOT);
    if (level === undefined) siblings.set(parent ?? ROOT, [page]);
    else level.push(page);
  }
  const pages = Array.from(siblings, ([level, pages]) => placed(reading, level, pages, identity)).flat();
  return { pages, ids };
}

function placed(
  { options }: Reading,
  level: string,
  pages: readonly Unplaced[],
  identity: Identity,
): PageRecord[] {
  const parent = level === ROOT ? undefined : level;
  const ids = pages.map(({ id }) => id);
  const positions = positionsOf(options.previous, parent, ids);
  const slugs = slugsOf(pages, parent === undefined, identity);
  return pages.map((page, index) => ({
    ...page,
    ...('slug' in page ? { slug: slugs.get(page.id) ?? page.slug } : {}),
    ...(parent === undefined ? {} : { parent }),
    position: positions[index] ?? '',
  }));
}

/** Slugs for the pages of a level. Those that have one come first; of the others, the first gets the name. */
function slugsOf(pages: readonly Unplaced[], isAtRoot: boolean, identity: Identity): Map<string, string> {
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  const give = (id: string, slug: string) => {
    slugs.set(id, slug);
    taken.add(foldSlug(slug));
  };
  for (const page of pages) {
    const path = 'source' in page ? page.source?.path : undefined;
    const before = 'slug' in page ? identity.slugOf(page.id, page.slug, path) : undefined;
    if (before !== undefined && !taken.has(foldSlug(before))) give(page.id, before);
  }
  for (const page of pages) {
    if (!('slug' in page) || slugs.has(page.id)) continue;
    give(
      page.id,
      uniqueSlug(page.slug, (folded) => taken.has(folded), { isAtRoot }),
    );
  }
  return slugs;
}

function readRow(
  reading: Reading,
  configuration: Configuration,
  row: Row,
  parent: string | undefined,
  identity: Identity,
): Unplaced {
  switch (row.type) {
    case 'document':
      return { ...readDocument(reading, row, identity), slug: slugFrom(row.path, configuration) };
    case 'group': {
      const slug = groupSlug(row);
      const id = identity.ofPage(parent, 'group', [slug, row.title]);
      return { id, kind: 'page', type: 'group', title: row.title, slug };
    }
    case 'link': {
      const id = identity.ofPage(parent, 'link', [row.title]);
      reading.targets.set(id, row.href);
      const target = { kind: 'url', url: row.href } as const;
      return { id, kind: 'page', type: 'link', title: row.title, target };
    }
    case 'computed': {
      const id = identity.ofPage(parent, 'computed', [row.title]);
      return { id, kind: 'page', type: 'computed', title: row.title, computed: row.computed };
    }
  }
}

export const groupSlug = ({ title, slug }: { readonly title: string; readonly slug?: string }): string =>
  (slug === undefined ? undefined : chosenSlug(slug)) ?? slugOf(title);

function readDocument(
  reading: Reading,
  { path, title: listed, label }: Extract<Row, { type: 'document' }>,
  identity: Identity,
): Omit<DocumentPage, 'position' | 'parent' | 'slug'> {
  const pieces = splitPage(reading.text(path) ?? '');
  const { fields } = pieces.source;
  const members = sourceMembers(reading, path, pieces);
  const id = identity.ofFile(path, { kind: 'page', ...members });
  readBody(reading, id, path, pieces);
  if (fields.cover !== undefined) reading.covers.set(id, fields);
  const title = ownTitle(pieces.source) ?? listed ?? titleFrom(nameOf(path));
  return {
    id,
    kind: 'page',
    type: 'document',
    title,
    ...(label === undefined || label === title ? {} : { label }),
    ...membersOf(fields, (message) => reading.warnings.push({ path, message })),
    ...members,
  };
}

/** The name that a page has in its path: of the file or, for README.md, of its folder. */
export const nameOf = (path: string): string =>
  /(?:^|\/)([^/]+)\/README\.md$/.exec(path)?.[1] ??
  path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');

/**
 * From the names of files, so that a path outlives any change of the text. The first page is called after its file too:
 * its own path is hardly seen, since the space opens with it.
 */
function slugFrom(path: string, { root }: Configuration): string {
  const name = nameOf(path.slice(root.length));
  return chosenSlug(name) ?? slugOf(name);
}
