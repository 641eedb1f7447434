import type { Href } from '../document/index.ts';
import type { ContentRef, LinkTable, Tree } from '../tree/index.ts';
import { readAddress } from './address.ts';
import { currentFolder, dirOf, type Folder } from './path-mapping.ts';
import { findTarget, isUnlisted, resolveIn, type Refs } from './resolve-href.ts';
import { spellHref } from './spell-href.ts';

/**
 * Where the hrefs of a body lead, by how they are spelled: on one page the same spelling always means the same. Only
 * what leads to another entry of the space is in it.
 */
export function linkTable(
  tree: Tree,
  from: string,
  hrefs: readonly Pick<Href, 'href'>[],
  refs?: Refs,
): LinkTable {
  const folder = currentFolder(tree);
  const dir = dirOf(folder, from);
  const table = new Map<string, ContentRef>();
  for (const { href } of hrefs) {
    if (href.startsWith('#') || table.has(href)) continue;
    const ref = resolveIn(folder, dir, href, refs) ?? unlistedFile(folder, dir, href);
    if (ref !== undefined) table.set(href, ref);
  }
  return Object.fromEntries(table);
}

function unlistedFile(folder: Folder, dir: string, href: string): ContentRef | undefined {
  const path = readAddress(href)?.path ?? '';
  const id = path === '' ? undefined : findTarget(folder, dir, path);
  return id !== undefined && isUnlisted(folder.tree, id) ? { kind: 'file', file: id } : undefined;
}

/** The id of the entry that a reference points at. */
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

/** An href in the form that means the same wherever it stands. Query and anchor stay. */
export function hrefById(href: string, ref: ContentRef): string {
  const [family, id] = [FAMILY[ref.kind], targetOf(ref)];
  return family === undefined || id === undefined
    ? href
    : `/${family}/${id}${readAddress(href)?.suffix ?? ''}`;
}

/**
 * What must be spelled differently so that it leads where it did: href → new href. Where the target is gone, the href
 * stays. Nearly always empty, and known without reading the body.
 */
export function movedHrefs(
  tree: Tree,
  from: string,
  table: LinkTable,
  folder: Folder = currentFolder(tree),
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const dir = dirOf(folder, from);
  for (const [href, ref] of Object.entries(table)) {
    const id = targetOf(ref);
    if (id === undefined || !tree.records.has(id)) continue;
    if (findTarget(folder, dir, readAddress(href)?.path ?? '') === id) continue;
    const spelled = spellHref(folder, dir, href, id);
    if (spelled !== undefined) moved.set(href, spelled);
  }
  return moved;
}

/** The same for `rewriteHrefs`: the places in the body, and how to spell them. */
export function currentHrefs(
  tree: Tree,
  from: string,
  table: LinkTable,
  hrefs: readonly Href[],
): Pick<Href, 'start' | 'end' | 'href'>[] {
  return respelled(hrefs, movedHrefs(tree, from, table));
}

export const respelled = (
  hrefs: readonly Href[],
  moved: ReadonlyMap<string, string>,
): Pick<Href, 'start' | 'end' | 'href'>[] =>
  hrefs.flatMap(({ start, end, href }) => {
    const spelled = moved.get(href);
    return spelled === undefined ? [] : [{ start, end, href: spelled }];
  });

/** For `parseDocument`: what an href means by the table while its target is there, else as it is spelled. */
export function resolverOf(
  tree: Tree,
  from: string,
  table: LinkTable,
  refs?: Refs,
): (href: Pick<Href, 'href'>) => ContentRef | undefined {
  const folder = currentFolder(tree);
  const dir = dirOf(folder, from);
  return ({ href }) => {
    const known = Object.hasOwn(table, href) ? table[href] : undefined;
    const id = known === undefined ? undefined : targetOf(known);
    const isThere = id !== undefined && tree.records.has(id) && !isUnlisted(tree, id);
    return isThere ? known : resolveIn(folder, dir, href, refs);
  };
}

export interface Targets {
  readonly pages: readonly string[];
  readonly files: readonly string[];
  readonly reusableContents: readonly string[];
}

/** The entries that a table points at, each once. */
export function targetsOf(table: LinkTable): Targets {
  const refs = Object.values(table);
  const ids = (...kinds: ContentRef['kind'][]) => [
    ...new Set(refs.flatMap((ref) => (kinds.includes(ref.kind) ? (targetOf(ref) ?? []) : []))),
  ];
  return { pages: ids('page', 'anchor'), files: ids('file'), reusableContents: ids('reusable-content') };
}
