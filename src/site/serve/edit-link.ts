import { filePathOf } from '../../content-engine/tree/index.ts';
import type { OpenSpace } from '../read/open-space.ts';

/** A branch as hosts of repositories show it. */
const TREE = /^(https?:\/\/[^?#]+?)(?:\/-)?\/(?:tree|src\/branch)\/[^?#]+$/;

/**
 * Where the file of a page is edited at the host of its repository. Undefined where the space has none, or where only the
 * URL for cloning is known.
 */
export function editHref({ siteSpace: { git }, tree }: OpenSpace, pageId: string): string | undefined {
  const url = git?.url;
  const path = filePathOf(tree, pageId);
  if (url === undefined || path === undefined || !TREE.test(url)) return undefined;
  const branch = url
    .replace(/\/$/, '')
    .replace(/\/tree\//, '/edit/')
    .replace(/\/src\/branch\//, '/_edit/');
  const names = [...(git?.directory ?? '').split('/'), ...path.split('/')].filter((name) => name !== '');
  return [branch, ...names.map(encodeURIComponent)].join('/');
}
