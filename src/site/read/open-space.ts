import { hashFromBytes, emptyRoot, type Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import { engineOf, loaderOf, treeAt, type Engine } from '../../domains/revisions/index.ts';
import type { PublishedSite, ReadContext } from './published-site.ts';
import type { SiteSpaceColumns } from './store.ts';

/** A site space with the content of the revision that it shows. */
export interface OpenSpace {
  readonly siteSpace: SiteSpaceColumns;
  readonly tree: Tree;
  readonly load: Load;
  readonly engine: Engine;
}

export async function openSpace(
  ctx: ReadContext,
  site: PublishedSite,
  siteSpace: SiteSpaceColumns,
): Promise<OpenSpace> {
  const load = loaderOf(ctx, siteSpace.storeId);
  const root = siteSpace.root === null ? emptyRoot : hashFromBytes(Buffer.from(siteSpace.root, 'hex'));
  const tree = await treeAt(ctx, load, root);
  return { siteSpace, tree, load, engine: engineOf(ctx, site.organization_id) };
}
