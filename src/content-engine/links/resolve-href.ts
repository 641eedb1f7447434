import { findByPath, findFile, findPage, findReusableContent } from '../tree/index.ts';
import type { ContentRef, Tree } from '../tree/index.ts';
import { decode, joinPath, parseHref } from './address.ts';
import { baseDirectoryOf, currentPaths, rootOf, type PathMapping } from './path-mapping.ts';

/** Refs of a batch for its new entries: ref → id. */
export type Refs = ReadonlyMap<string, string>;

/**
 * The current target of an href on the page or reusable content `from`. Undefined: it is a URL or broken. An anchor
 * without a page is on the page itself.
 */
export const resolveHref = (tree: Tree, from: string, href: string, refs?: Refs): ContentRef | undefined => {
  const mapping = currentPaths(tree);
  return resolveIn(mapping, baseDirectoryOf(mapping, from), href, refs);
};

export function resolveIn(
  mapping: PathMapping,
  dir: string,
  href: string,
  refs?: Refs,
): ContentRef | undefined {
  const address = parseHref(href);
  if (address === undefined) return undefined;
  const { path, anchor } = address;
  if (path === '') return anchor === undefined ? undefined : { kind: 'anchor', anchor };
  const id = findTarget(mapping, dir, path, refs);
  return id === undefined ? undefined : refTo(mapping.tree, id, anchor);
}

function refTo(tree: Tree, id: string, anchor: string | undefined): ContentRef | undefined {
  const record = tree.records.get(id);
  switch (record?.kind) {
    case 'page':
      return anchor === undefined ? { kind: 'page', page: id } : { kind: 'anchor', anchor, page: id };
    case 'file':
      return isUnlisted(tree, id) ? undefined : { kind: 'file', file: id };
    case 'reusable-content':
      return { kind: 'reusable-content', reusableContent: id };
    default:
      return undefined;
  }
}

/** Whether the file is stored only for exports, and is not part of the space. */
export function isUnlisted({ records }: Tree, id: string): boolean {
  const record = records.get(id);
  return record?.kind === 'file' && record.unlisted === true;
}

/** The entry that the path of an href leads to. */
export function findTarget(
  mapping: PathMapping,
  dir: string,
  spelled: string,
  refs?: Refs,
): string | undefined {
  const path = decode(spelled);
  const named = path.startsWith('./') ? refs?.get(path.slice(2)) : undefined;
  if (named !== undefined) return named;
  // A file name may itself look percent-encoded.
  return findPath(mapping, dir, path) ?? (path === spelled ? undefined : findPath(mapping, dir, spelled));
}

function findPath(mapping: PathMapping, dir: string, spelled: string): string | undefined {
  const path = joinPath(dir, spelled);
  if (path === undefined) return undefined;
  const exact = mapping.idAt(path);
  const isFolder = spelled.endsWith('/');
  if (exact !== undefined && !isFolder) return exact;
  if (!spelled.startsWith('/')) return findFileOrPage(mapping, path, isFolder);
  const root = rootOf(mapping.tree);
  return (
    findByApiHref(mapping, path) ??
    findFileOrPage(mapping, path, isFolder) ??
    (root === '' ? undefined : findFileOrPage(mapping, root + path, isFolder))
  );
}

/** `/pages/…`, `/files/…` and `/reusable-content/…`: the hrefs of the API. */
function findByApiHref({ tree, knowsIds }: PathMapping, path: string): string | undefined {
  const [, kind, name = ''] = /^(pages|files|reusable-content)\/(.+)$/.exec(path) ?? [];
  if (kind === 'pages') {
    const slugs = withoutFileName(name);
    return ((knowsIds ? findPage(tree, slugs) : undefined) ?? findByPath(tree, slugs))?.id;
  }
  if (!knowsIds || kind === undefined) return undefined;
  return (kind === 'files' ? findFile(tree, name) : findReusableContent(tree, name))?.id;
}

/**
 * Looks for, in this order: a file, a file without its extension, the page of a folder (first if the path ends in a slash), a
 * page by its slugs. An unlisted file, such as an old page beside the folder that replaced it, comes last.
 */
function findFileOrPage({ tree, idAt }: PathMapping, path: string, isFolder: boolean): string | undefined {
  const files = [path, `${path}.md`, `${path}.mdx`];
  const readme = path === '' ? 'README.md' : `${path}/README.md`;
  const paths = isFolder ? [readme, `${readme}x`, ...files] : [...files, readme, `${readme}x`];
  const ids = paths.flatMap((each) => idAt(each) ?? []);
  return (
    ids.find((id) => !isUnlisted(tree, id)) ??
    findByPath(tree, withoutFileName(belowRoot(tree, path)))?.id ??
    ids[0]
  );
}

export const withoutFileName = (path: string): string => path.replace(/(?:(?:^|\/)README)?\.md$/i, '');

function belowRoot(tree: Tree, path: string): string {
  const root = rootOf(tree);
  return path.startsWith(root) ? path.slice(root.length) : path;
}
