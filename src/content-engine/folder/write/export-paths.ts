import { INCLUDES, rootOf } from '../../links/index.ts';
import {
  foldPath,
  pathsIn,
  portablePath,
  reservedPaths,
  slugOf,
  type ContentRecord,
  type Tree,
} from '../../tree/index.ts';

export const ASSETS = '.gitbook/assets';
export const isAsset = (path: string): boolean => `/${path}`.includes(`/${ASSETS}/`);

export const VARIABLES = '.gitbook/vars.yaml';
export const TAGS = '.gitbook/tags.yaml';

/**
 * The path of each entry in an exported folder, by id; no path occurs twice. Imported files keep their names;
 * generated names are unique regardless of case.
 */
export function exportPaths(tree: Tree): Map<string, string> {
  const paths = new Map<string, string>();
  const taken = new Set<string>(reservedPaths(tree).map(foldPath));
  const add = (id: string, path: string) => {
    paths.set(id, path);
    taken.add(foldPath(path));
  };
  const free = freePaths({ has: (path) => taken.has(foldPath(path)) });
  const { fileOf } = pathsIn(tree);
  const rest: ContentRecord[] = [];
  for (const record of tree.records.values()) {
    const path = fileOf(record.id);
    if (path !== undefined) add(record.id, path);
    else rest.push(record);
  }
  for (const record of rest.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (record.kind === 'file') {
      add(record.id, free(`${rootOf(tree)}${ASSETS}/${portablePath(record.name)}`));
    }
    if (record.kind === 'reusable-content') add(record.id, free(includePath(tree, record.title)));
  }
  return paths;
}

/** The default file of reusable content. */
export const includePath = (tree: Tree, title: string): string =>
  `${rootOf(tree)}${INCLUDES}/${portablePath(slugOf(title) || 'untitled')}.md`;

/** Returns each path once: for further requests it inserts a number before the extension. */
export function freePaths(taken: { has(path: string): boolean }): (path: string) => string {
  const numbers = new Map<string, number>();
  return (path) => {
    const [, stem = path, extension = ''] = /^(.*?[^/])(\.[^./]*)?$/.exec(path) ?? [];
    let number = numbers.get(path) ?? 0;
    const wanted = () => (number === 0 ? path : `${stem}-${number}${extension}`);
    while (taken.has(wanted())) number++;
    numbers.set(path, number + 1);
    return wanted();
  };
}
