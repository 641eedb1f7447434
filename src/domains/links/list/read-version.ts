import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import {
  findChangeRequest,
  findVersions,
  type ChangeRequestRow,
  type RequestContentRow,
  type RequestVersions,
} from '../../change-requests/index.ts';
import { overlayOf, type LinkOverlay } from '../../link-index/index.ts';
import { loaderOf, rootOf, treeAt } from '../../content-store/index.ts';
import { compareVersion, keyOf, prepareVersion, type RequestView } from '../compare-version.ts';

export interface RequestVersion {
  readonly request: ChangeRequestRow;
  readonly tree: Tree;
  /** The content of the request itself. */
  readonly proposed: Tree;
  readonly overlay: LinkOverlay;
}

/**
 * Reads the links of a change request in one snapshot of the database: the stored links and the primary revision that
 * they describe must belong together.
 */
export async function readVersion<T>(
  ctx: Context,
  target: RequestContentRow,
  view: RequestView,
  read: (snapshot: Context, version: RequestVersion) => Promise<T>,
): Promise<T> {
  // Merging and parsing may take long: before the transaction, which occupies a connection.
  const seen = await versionsOf(ctx, target);
  const isCached = ctx.caches.requestLinks.has(keyOf(target, view, seen));
  const prepared = isCached ? undefined : await prepareVersion(ctx, target, view, seen);
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const snapshot: Context = { ...ctx, db, caller: ctx.caller };
      const versions = await versionsOf(snapshot, target);
      const { tree, changes } = await compareVersion(snapshot, target, view, versions, prepared);
      const { removed, added } = changes.difference;
      requireSmall(ctx, 'items', removed.length + added.length);
      const overlay = await overlayOf(db, target.space_id, tree, changes);
      const load = loaderOf(snapshot, versions.store_id);
      const proposed = await treeAt(snapshot, load, rootOf(versions));
      const request = await findChangeRequest(db, ctx.caller.id, target.change_request_id);
      if (!request) throw notFound('Change request');
      return read(snapshot, { request, tree, proposed, overlay });
    });
}

async function versionsOf(
  ctx: Context,
  { change_request_id: id }: RequestContentRow,
): Promise<RequestVersions> {
  const versions = await findVersions(ctx.db, id);
  if (!versions) throw notFound('Change request');
  return versions;
}
