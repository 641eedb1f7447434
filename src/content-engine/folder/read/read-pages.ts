import { addToList } from '../../add-to-list.ts';
import { hashOf } from '../../map/index.ts';
import {
  chosenSlug,
  foldSlug,
  ROOT,
  slugOf,
  uniqueSlug,
  type DocumentPage,
  type PageRecord,
} from '../../tree/index.ts';
import type { Configuration } from '../configuration.ts';
import { pageMembers } from '../frontmatter-fields.ts';
import type { Identity } from './identity.ts';
import { titleFrom } from './infer-outline.ts';
import type { OutlineRow } from './outline.ts';
import { withoutExtension } from '../page-path.ts';
import { positionsOf } from './positions.ts';
import { sourceMembers, useMarkdown, type ImportContext } from './import-context.ts';

/** A page before it is placed among its siblings. Its slug is not yet unique. */
type Unplaced<P = PageRecord> = P extends unknown ? Omit<P, 'position' | 'parent'> : never;

/** The pages of an outline, and their ids by row. */
export function readPages(
  context: ImportContext,
  configuration: Configuration,
  rows: readonly OutlineRow[],
  identity: Identity,
): { readonly pages: PageRecord[]; readonly ids: readonly string[] } {
  const ids: string[] = [];
  const parents: string[] = [];
  const siblings = new Map<string, Unplaced[]>();
  for (const row of rows) {
    const parent = parents[row.depth - 2];
    const page = readRow(context, configuration, row, parent, identity);
    ids.push(page.id);
    parents.splice(row.depth - 1);
    if ('slug' in page) parents[row.depth - 1] = page.id;
    addToList(siblings, parent ?? ROOT, page);
  }
  const levels: PageRecord[][] = [];
  for (const [level, pages] of siblings) {
    levels.push(placeSiblings(context, level, pages, identity));
  }
  return { pages: levels.flat(), ids };
}

function placeSiblings(
  { options }: ImportContext,
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

/** Unique slugs for siblings. Previous slugs take precedence, then the order of the pages. */
function slugsOf(pages: readonly Unplaced[], isAtRoot: boolean, identity: Identity): Map<string, string> {
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  const assign = (id: string, slug: string) => {
    slugs.set(id, slug);
    taken.add(foldSlug(slug));
  };
  for (const page of pages) {
    const path = 'source' in page ? page.source?.path : undefined;
    const before = 'slug' in page ? identity.slugOf(page.id, page.slug, path) : undefined;
    if (before !== undefined && !taken.has(foldSlug(before))) assign(page.id, before);
  }
  for (const page of pages) {
    if (!('slug' in page) || slugs.has(page.id)) continue;
    assign(
      page.id,
      uniqueSlug(page.slug, (folded) => taken.has(folded), { isAtRoot }),
    );
  }
  return slugs;
}

function readRow(
  context: ImportContext,
  configuration: Configuration,
  row: OutlineRow,
  parent: string | undefined,
  identity: Identity,
): Unplaced {
  switch (row.type) {
    case 'document':
      return { ...readDocument(context, row, identity), slug: slugFrom(row, configuration) };
    case 'group': {
      const slug = groupSlug(row);
      if (parent !== undefined || context.options.groupsAsPages) return emptyPage(context, row.title, slug);
      const id = identity.ofPage(parent, 'group', [slug, row.title]);
      return { id, kind: 'page', type: 'group', title: row.title, slug };
    }
    case 'link': {
      const id = identity.ofPage(parent, 'link', [row.title]);
      context.targets.set(id, row.href);
      const target = { kind: 'url', url: row.href } as const;
      return { id, kind: 'page', type: 'link', title: row.title, target };
    }
    case 'computed': {
      const id = identity.ofPage(parent, 'computed', [row.title]);
      return { id, kind: 'page', type: 'computed', title: row.title, computed: row.computed };
    }
  }
}

/** A page in place of a group, where none is allowed. */
function emptyPage({ options, texts }: ImportContext, title: string, slug: string): Unplaced {
  const document = hashOf('');
  texts.set(document, '');
  return { id: options.newId(), kind: 'page', type: 'document', title, slug, document };
}

export const groupSlug = ({ title, slug }: { readonly title: string; readonly slug?: string }): string =>
  (slug === undefined ? undefined : chosenSlug(slug)) ?? slugOf(title);

function readDocument(
  context: ImportContext,
  { path, title: listed, label }: Extract<OutlineRow, { type: 'document' }>,
  identity: Identity,
): Omit<DocumentPage, 'position' | 'parent' | 'slug'> {
  const markdown = context.markdown(path, 'page');
  if (markdown === undefined) throw new Error(`${path} is in the outline, and not among the files`);
  const { fields } = markdown;
  const members = sourceMembers(context, path, markdown);
  const id = identity.ofFile(path, { kind: 'page', ...members });
  useMarkdown(context, id, path, markdown);
  if (fields.cover !== undefined) context.covers.set(id, fields);
  const title = markdown.title ?? listed ?? titleFrom(nameOf(path));
  return {
    id,
    kind: 'page',
    type: 'document',
    title,
    ...(label === undefined || label === title ? {} : { label }),
    ...pageMembers(fields, (message) => context.warnings.push({ path, message })),
    ...members,
  };
}

/** The name of a page by its path: that of the file or, for README.md, of its folder. */
export const nameOf = (path: string): string =>
  /(?:^|\/)([^/]+)\/README\.mdx?$/.exec(path)?.[1] ?? withoutExtension(path.slice(path.lastIndexOf('/') + 1));

/** The slug comes from the file name, so that a path does not depend on the text of the page. */
function slugFrom(
  { path, slug }: Extract<OutlineRow, { type: 'document' }>,
  { root }: Configuration,
): string {
  const name = slug ?? nameOf(path.slice(root.length));
  return chosenSlug(name) ?? slugOf(name);
}
