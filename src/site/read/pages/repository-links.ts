import type { Href } from '../../../content-engine/document/index.ts';
import {
  baseDirectoryOf,
  currentPaths,
  decode,
  joinPath,
  parseHref,
  resolverOf,
} from '../../../content-engine/links/index.ts';
import { findBySource, type ContentRef, type LinkTable } from '../../../content-engine/tree/index.ts';
import type { OpenSpace } from './open-space.ts';

/** A branch as hosts of repositories show it. */
const TREE = /^https?:\/\/[^?#]+?(?:\/-)?\/(?:tree|src\/branch)\/[^?#]+$/;

/** Where the files of the repository of a space are shown. Undefined where only the URL for cloning is known, or none. */
export function repositoryTree({ siteSpace: { git } }: Pick<OpenSpace, 'siteSpace'>): string | undefined {
  return git?.url !== undefined && TREE.test(git.url) ? git.url.replace(/\/$/, '') : undefined;
}

/** The address of a file below such a URL. `path` is relative to the directory of the space. */
export function repositoryHref(tree: string, directory: string | undefined, path: string): string {
  const names = [...(directory ?? '').split('/'), ...path.split('/')].filter((name) => name !== '');
  return [tree, ...names.map(encodeURIComponent)].join('/');
}

type ReadHref = Pick<Href, 'href'> & Partial<Pick<Href, 'kind'>>;

const IMAGE = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)(?:[?#]|$)/i;

/** Hosts show a page about a file, which is no picture. Hrefs of large pages are resolved without their kind. */
const isLink = ({ href, kind }: ReadHref): boolean =>
  kind === undefined ? !IMAGE.test(href) : kind === 'link';

/**
 * Resolves the hrefs of a body. One that leads out of the directory of the space, or to a file of it that is not part of the
 * space, leads to the host of its repository.
 */
export function resolverIn(
  space: OpenSpace,
  from: string,
  links: LinkTable,
): (href: ReadHref) => ContentRef | undefined {
  const resolve = resolverOf(space.tree, from, links);
  const shown = repositoryTree(space);
  if (shown === undefined) return resolve;
  const dir = baseDirectoryOf(currentPaths(space.tree), from);
  return (href) => resolve(href) ?? (isLink(href) ? fileAtHost(space, shown, dir, href.href) : undefined);
}

function fileAtHost(
  { siteSpace: { git }, tree }: OpenSpace,
  shown: string,
  dir: string,
  href: string,
): ContentRef | undefined {
  const address = parseHref(href);
  if (address === undefined || address.path === '' || address.path.startsWith('/')) return undefined;
  const { path, suffix } = address;
  const inside = joinPath(dir, decode(path));
  if (inside !== undefined) {
    const isUnlisted = findBySource(tree, inside)?.kind === 'file';
    return isUnlisted
      ? { kind: 'url', url: repositoryHref(shown, git?.directory, inside) + suffix }
      : undefined;
  }
  const outside = joinPath([git?.directory, dir].filter(Boolean).join('/'), decode(path));
  return outside === undefined
    ? undefined
    : { kind: 'url', url: repositoryHref(shown, '', outside) + suffix };
}
