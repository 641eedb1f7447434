import { findByPath, findFile, findPage, findReusableContent } from '../tree/index.ts';
import type { ContentRef, Tree } from '../tree/index.ts';
import { decode, joinPath, readAddress } from './address.ts';
import { currentFolder, dirOf, rootOf, type Folder } from './path-mapping.ts';

/** Names that a batch gave to what it inserts: ref → id. */
export type Refs = ReadonlyMap<string, string>;

/**
 * What an href on the page or reusable content `from` means now. Undefined: nothing inside the space, because it is a
 * URL or broken. An anchor without a page is on the page itself.
 */
export const resolveHref = (tree: Tree, from: string, href: string, refs?: Refs): ContentRef | undefined => {
  const folder = currentFolder(tree);
  return resolveIn(folder, dirOf(folder, from), href, refs);
};

export function resolveIn(folder: Folder, dir: string, href: string, refs?: Refs): ContentRef | undefined {
  const address = readAddress(href);
  if (address === undefined) return undefined;
  const { path, anchor } = address;
  if (path === '') return anchor === undefined ? undefined : { kind: 'anchor', anchor };
  const id = findTarget(folder, dir, path, refs);
  return id === undefined ? undefined : refTo(folder.tree, id, anchor);
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

/** Whether it is kept for the folder's sake only, and is not in the space. */
export function isUnlisted({ records }: Tree, id: string): boolean {
  const record = records.get(id);
  return record?.kind === 'file' && record.unlisted === true;
}

/** The entry that a path leads to, as it is spelled in an href. */
export function findTarget(folder: Folder, dir: string, spelled: string, refs?: Refs): string | undefined {
  const path = decode(spelled);
  const named = path.startsWith('./') ? refs?.get(path.slice(2)) : undefined;
  if (named !== undefined) return named;
  // The name of a file may itself look encoded.
  return lookUp(folder, dir, path) ?? (path === spelled ? undefined : lookUp(folder, dir, spelled));
}

function lookUp(folder: Folder, dir: string, spelled: string): string | undefined {
  const path = joinPath(dir, spelled);
  if (path === undefined) return undefined;
  const exact = folder.idAt(path);
  const isFolder = spelled.endsWith('/');
  if (exact !== undefined && !isFolder) return exact;
  if (!spelled.startsWith('/')) return fileOrPage(folder, path, isFolder);
  const root = rootOf(folder.tree);
  return (
    byName(folder, path) ??
    fileOrPage(folder, path, isFolder) ??
    (root === '' ? undefined : fileOrPage(folder, root + path, isFolder))
  );
}

/** `/pages/…`, `/files/…` and `/reusable-content/…`: how the API spells what it refers to. */
function byName({ tree, knowsIds }: Folder, path: string): string | undefined {
  const [, kind, name = ''] = /^(pages|files|reusable-content)\/(.+)$/.exec(path) ?? [];
  if (kind === 'pages') {
    const slugs = withoutFileName(name);
    return ((knowsIds ? findPage(tree, slugs) : undefined) ?? findByPath(tree, slugs))?.id;
  }
  if (!knowsIds || kind === undefined) return undefined;
  return (kind === 'files' ? findFile(tree, name) : findReusableContent(tree, name))?.id;
}

/**
 * A file, a file without its extension, the page of a folder (which a slash at the end means first), or a page by its
 * slugs. A file that is not in the space, such as an old page beside the folder that replaced it, comes last.
 */
function fileOrPage({ tree, idAt }: Folder, path: string, isFolder: boolean): string | undefined {
  const files = [path, `${path}.md`];
  const readme = path === '' ? 'README.md' : `${path}/README.md`;
  const paths = isFolder ? [readme, ...files] : [...files, readme];
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
