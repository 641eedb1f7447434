import { filePathOf } from '../../content-engine/tree/index.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { repositoryHref, repositoryTree } from '../read/repository-links.ts';

/**
 * Where the file of a page is edited at the host of its repository. Undefined where the space has none, or where only the
 * URL for cloning is known.
 */
export function editHref(space: OpenSpace, pageId: string): string | undefined {
  const shown = repositoryTree(space);
  const path = filePathOf(space.tree, pageId);
  if (shown === undefined || path === undefined) return undefined;
  const branch = shown.replace(/\/tree\//, '/edit/').replace(/\/src\/branch\//, '/_edit/');
  return repositoryHref(branch, space.siteSpace.git?.directory, path);
}
