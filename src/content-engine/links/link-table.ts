import type { Href } from '../document/index.ts';
import { eachInSteps } from '../in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import type { ContentRef, LinkTable, Tree } from '../tree/index.ts';
import { decode, joinPath, parseHref } from './address.ts';
import { targetOf } from './href-by-id.ts';
import { baseDirectoryOf, currentPaths, type PathMapping } from './path-mapping.ts';
import { findTarget, isUnlisted, resolveIn, type Refs } from './resolve-href.ts';
import { formatHref } from './format-href.ts';

/** The targets of the hrefs of a body. On one page, equal hrefs have one target. Contains only links to entries. */
export const linkTable = (
  tree: Tree,
  from: string,
  hrefs: readonly Pick<Href, 'href'>[],
  refs?: Refs,
): LinkTable =>
  runToEnd(
    linkTableInSteps(
      tree,
      from,
      hrefs.map(({ href }) => href),
      refs,
    ),
  );

/** The same in steps: a page may have 40,000 links. */
export function* linkTableInSteps(
  tree: Tree,
  from: string,
  hrefs: Iterable<string>,
  refs?: Refs,
): Generator<void, LinkTable, void> {
  const mapping = currentPaths(tree);
  const dir = baseDirectoryOf(mapping, from);
  const table = new Map<string, ContentRef>();
  yield* eachInSteps(hrefs, (href) => {
    if (href.startsWith('#') || table.has(href)) return;
    const ref = resolveIn(mapping, dir, href, refs) ?? unlistedFile(mapping, dir, href);
    if (ref !== undefined) table.set(href, ref);
  });
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
export const movedHrefs = (
  tree: Tree,
  from: string,
  table: LinkTable,
  mapping?: PathMapping,
): ReadonlyMap<string, string> => runToEnd(movedHrefsInSteps(tree, from, table, mapping));

/** The same in steps. */
export function* movedHrefsInSteps(
  tree: Tree,
  from: string,
  table: LinkTable,
  mapping: PathMapping = currentPaths(tree),
): Generator<void, ReadonlyMap<string, string>, void> {
  const moved = new Map<string, string>();
  const dir = baseDirectoryOf(mapping, from);
  yield* eachInSteps(Object.entries(table), ([href, ref]) => {
    const id = targetOf(ref);
    if (id === undefined || !tree.records.has(id)) return;
    const path = parseHref(href)?.path ?? '';
    if (findTarget(mapping, dir, path) === id && !isFormerFile(mapping, dir, path, id)) return;
    const spelled = formatHref(mapping, dir, href, id);
    if (spelled !== undefined) moved.set(href, spelled);
  });
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
