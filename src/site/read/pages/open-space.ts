import { hashFromBytes, emptyRoot, type Load } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import { loaderOf, treeAt } from '../../../domains/content-store/index.ts';
import type { ReadContext } from '../published-site.ts';
import { readablePages, type ReadablePages } from './readable-pages.ts';
import type { SiteSpaceColumns } from '../store.ts';
import type { Visitor } from '../visitor.ts';

/** A site space with the content of the revision that it shows, for one visitor. */
export interface OpenSpace {
  readonly siteSpace: SiteSpaceColumns;
  readonly tree: Tree;
  readonly pages: ReadablePages;
  readonly load: Load;
  readonly isFront: boolean;
}

export async function openSpace(
  ctx: ReadContext,
  siteSpace: SiteSpaceColumns,
  visitor: Visitor,
): Promise<OpenSpace> {
  const load = loaderOf(ctx, siteSpace.storeId);
  const root = siteSpace.root === null ? emptyRoot : hashFromBytes(Buffer.from(siteSpace.root, 'hex'));
  const tree = await treeAt(ctx, load, root);
  const pages = await readablePages(ctx, tree, visitor);
  return { siteSpace, tree, pages, load, isFront: ctx.isFront };
}
