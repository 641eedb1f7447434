import type { Href } from '../document/index.ts';
import type { ContentRef, LinkTable, Tree } from '../tree/index.ts';
import { parseHref } from './address.ts';
import { currentPaths, baseDirectoryOf, type PathMapping } from './path-mapping.ts';
import { findTarget, isUnlisted, resolveIn, type Refs } from './resolve-href.ts';
import { spellHref } from './spell-href.ts';

/** The targets of the hrefs of a body. On one page, equal hrefs have one target. Contains only links to entries. */
export function linkTable(
  tree: Tree,
  from: string,
  hrefs: readonly Pick<Href, 'href'>[],
  refs?: Refs,
): LinkTable {
  const mapping = currentPaths(tree);
  const dir = baseDirectoryOf(mapping, from);
  const table = new Map<string, ContentRef>();
  for (const { href } of hrefs) {
    if (href.startsWith('#') || table.has(href)) continue;
    const ref = resolveIn(mapping, dir, href, refs) ?? unlistedFile(mapping, dir, href);
    if (ref !== undefined) table.set(href, ref);
  }
  return Object.fromEntries(table);
}

function unlistedFile(mapping: PathMapping, dir: string, href: string): ContentRef | undefined {
  const path = parseHref(href)?.path ?? '';
  const id = path === '' ? undefined : findTarget(mapping, dir, path);
  return id !== undefined && isUnlisted(mapping.tree, id) ? { kind: 'file', file: id } : undefined;
}

/** The id of the entry that a reference targets. */
export function targetOf(ref: ContentRef): string | undefined {
  switch (ref.kind) {
    case 'page':
    case 'anchor':
      return ref.page;
    case 'file':
      return ref.file;
    case 'reusable-content':
      return ref.reusableContent;
    default:
      return undefined;
  }
}

const FAMILY: Readonly<Partial<Record<ContentRef['kind'], string>>> = {
  page: 'pages',
  anchor: 'pages',
  file: 'files',
  'reusable-content': 'reusable-content',
};

/** The href by id, which has the same target on every page. Query and anchor are kept. */
export function hrefById(href: string, ref: ContentRef): string {
  const [family, id] = [FAMILY[ref.kind], targetOf(ref)];
  return family === undefined || id === undefined ? href : `/${family}/${id}${parseHref(href)?.suffix ?? ''}`;
}

/**
 * The hrefs that no longer lead to their targets: href → new href. An href whose target was deleted stays. Nearly always
 * empty, and computed without reading the body.
 */
export function movedHrefs(
  tree: Tree,
  from: string,
  table: LinkTable,
  mapping: PathMapping = currentPaths(tree),
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const dir = baseDirectoryOf(mapping, from);
  for (const [href, ref] of Object.entries(table)) {
    const id = targetOf(ref);
    if (id === undefined || !tree.records.has(id)) continue;
    if (findTarget(mapping, dir, parseHref(href)?.path ?? '') === id) continue;
    const spelled = spellHref(mapping, dir, href, id);
    if (spelled !== undefined) moved.set(href, spelled);
  }
  return moved;
}

/** The replacements in a body, for `rewriteHrefs`. */
export function currentHrefs(
  tree: Tree,
  from: string,
  table: LinkTable,
  hrefs: readonly Href[],
): Pick<Href, 'start' | 'end' | 'href'>[] {
  return hrefReplacements(hrefs, movedHrefs(tree, from, table));
}

export const hrefReplacements = (
  hrefs: readonly Href[],
  moved: ReadonlyMap<string, string>,
): Pick<Href, 'start' | 'end' | 'href'>[] =>
  hrefs.flatMap(({ start, end, href }) => {
    const spelled = moved.get(href);
    return spelled === undefined ? [] : [{ start, end, href: spelled }];
  });

/** Resolves hrefs for `parseDocument`: by the table while the target exists, else by the href itself. */
export function resolverOf(
  tree: Tree,
  from: string,
  table: LinkTable,
  refs?: Refs,
): (href: Pick<Href, 'href'>) => ContentRef | undefined {
  const mapping = currentPaths(tree);
  const dir = baseDirectoryOf(mapping, from);
  return ({ href }) => {
    const known = Object.hasOwn(table, href) ? table[href] : undefined;
    const id = known === undefined ? undefined : targetOf(known);
    const isThere = id !== undefined && tree.records.has(id) && !isUnlisted(tree, id);
    return isThere ? known : resolveIn(mapping, dir, href, refs);
  };
}

export interface Targets {
  readonly pages: readonly string[];
  readonly files: readonly string[];
  readonly reusableContents: readonly string[];
}

/** The distinct entries that a table targets. */
export function targetsOf(table: LinkTable): Targets {
  const refs = Object.values(table);
  const ids = (...kinds: ContentRef['kind'][]) => [
    ...new Set(refs.flatMap((ref) => (kinds.includes(ref.kind) ? (targetOf(ref) ?? []) : []))),
  ];
  return { pages: ids('page', 'anchor'), files: ids('file'), reusableContents: ids('reusable-content') };
}
