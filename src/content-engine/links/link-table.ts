import type { Href } from '../document/index.ts';
import type { ContentRef, LinkTable, Tree } from '../tree/index.ts';
import { decode, joinPath, parseHref } from './address.ts';
import { targetOf } from './href-by-id.ts';
import { baseDirectoryOf, currentPaths, type PathMapping } from './path-mapping.ts';
import { findTarget, isUnlisted, resolveIn, type Refs } from './resolve-href.ts';
import { formatHref } from './format-href.ts';

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

/**
 * The hrefs that no longer lead to their targets: href → new href. An href whose target was deleted stays. Nearly
 * always empty, and computed without reading the body.
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
    const path = parseHref(href)?.path ?? '';
    if (findTarget(mapping, dir, path) === id && !isFormerFile(mapping, dir, path, id)) continue;
    const spelled = formatHref(mapping, dir, href, id);
    if (spelled !== undefined) moved.set(href, spelled);
  }
  return moved;
}

/** Whether a path names the file that a page had. Some names of a home page lead to whichever page comes first. */
function isFormerFile(mapping: PathMapping, dir: string, path: string, id: string): boolean {
  const record = mapping.tree.records.get(id);
  const former = record?.kind === 'page' && record.type === 'document' ? record.source?.former : undefined;
  return former !== undefined && joinPath(dir, decode(path)) === former && mapping.idAt(former) !== id;
}

/** The replacements in a body, for `rewriteHrefs`. */
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
): (href: Pick<Href, 'href'>) => ContentRef | undefined {
  const mapping = currentPaths(tree);
  const dir = baseDirectoryOf(mapping, from);
  return ({ href }) => {
    const known = Object.hasOwn(table, href) ? table[href] : undefined;
    const id = known === undefined ? undefined : targetOf(known);
    const isThere = id !== undefined && tree.records.has(id) && !isUnlisted(tree, id);
    return isThere ? known : resolveIn(mapping, dir, href);
  };
}
