import { hashFromBytes, emptyRoot, type Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import { loaderOf, readingEngineOf, treeAt, type Engine } from '../../domains/revisions/index.ts';
import type { PublishedSite, ReadContext } from './published-site.ts';
import { readablePages, type ReadablePages } from './readable-pages.ts';
import type { SiteSpaceColumns } from './store.ts';
import type { Visitor } from './visitor.ts';

/** A site space with the content of the revision that it shows, for one visitor. */
export interface OpenSpace {
  readonly siteSpace: SiteSpaceColumns;
  readonly tree: Tree;
  readonly pages: ReadablePages;
  readonly load: Load;
  readonly engine: Engine;
}

export async function openSpace(
  ctx: ReadContext,
  site: PublishedSite,
  siteSpace: SiteSpaceColumns,
  visitor: Visitor,
): Promise<OpenSpace> {
  const load = loaderOf(ctx, siteSpace.storeId);
  const root = siteSpace.root === null ? emptyRoot : hashFromBytes(Buffer.from(siteSpace.root, 'hex'));
  const tree = await treeAt(ctx, load, root);
  const pages = await readablePages(tree, visitor);
  return { siteSpace, tree, pages, load, engine: readingEngineOf(ctx, site.organization_id) };
}
