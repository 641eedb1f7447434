import { diff } from '../../content-engine/map/index.ts';
import { diffRecords, type SemanticChange } from '../../content-engine/diff/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { documentIdOf, downloadPath, presentMergedFrom } from './present.ts';
import { loaderOf, rootOf, treeAt } from '../content-store/index.ts';
import type { ContentRow } from './policy.ts';
import { findRoot } from './store.ts';

/** The changes from an older revision to that of the row, as people see them. */
export async function changesBetween(ctx: Context, row: ContentRow, before: string | undefined, limit = 10) {
  const load = loaderOf(ctx, row.store_id);
  const found = before === undefined ? undefined : await findRoot(ctx.db, row.space_id, before);
  const [old, now] = [rootOf(found ?? { root: null }), rootOf(row)];
  const [oldTree, tree] = [await treeAt(ctx, load, old), await treeAt(ctx, load, now)];
  const differences = await diff<ContentRecord>(load, old, now);
  requireSmall(ctx, 'items', differences.length);
  const all = diffRecords(oldTree, tree, differences);
  const more = all.length - limit;
  return {
    changes: all.slice(0, limit).map((change) => presentChange(ctx, row, change)),
    ...(more > 0 ? { more } : {}),
  };
}

export async function changesOfRevision(ctx: Context, row: ContentRow, limit = 10) {
  const mergedFrom = presentMergedFrom(row, ctx.addresses);
  return {
    ...(mergedFrom ? { mergedFrom } : {}),
    ...(await changesBetween(ctx, row, row.parents[0], limit)),
  };
}

/** Changed bytes have another address. */
function presentBytes(
  { keys, addresses }: Context,
  { space_id: spaceId }: ContentRow,
  { file, attributes }: Extract<SemanticChange, { type: 'file_edited' }>,
) {
  if (!attributes['hash']) return {};
  const urlOf = (side: 'before' | 'after') => {
    const valueOf = (name: 'hash' | 'name' | 'contentType') =>
      (attributes[name]?.[side] as string | undefined) ?? file[name];
    const then = { hash: valueOf('hash'), name: valueOf('name'), contentType: valueOf('contentType') };
    return addresses.of(downloadPath(keys, spaceId, then));
  };
  return { downloadURL: { before: urlOf('before'), after: urlOf('after') } };
}

/** Documents are named by their ids, files by their addresses. */
function presentChange(ctx: Context, row: ContentRow, change: SemanticChange): object {
  const { keys, addresses } = ctx;
  const { space_id: spaceId } = row;
  const documentId = (hash: unknown) =>
    typeof hash === 'string' ? documentIdOf(keys, spaceId, hash) : undefined;
  const attributes = (given: Readonly<Record<string, { before?: unknown; after?: unknown }>>) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, { before, after }]) => {
        if (name === 'hash') return [];
        const shown =
          name === 'document' ? { before: documentId(before), after: documentId(after) } : { before, after };
        return [[name, shown]];
      }),
    );
  switch (change.type) {
    case 'file_created':
    case 'file_deleted':
    case 'file_edited': {
      const { id, name, contentType } = change.file;
      const file = {
        id,
        name,
        contentType,
        downloadURL: addresses.of(downloadPath(keys, spaceId, change.file)),
      };
      if (change.type !== 'file_edited') return { type: change.type, file };
      return {
        type: change.type,
        file,
        attributes: { ...attributes(change.attributes), ...presentBytes(ctx, row, change) },
      };
    }
    case 'reusable_content_created':
    case 'reusable_content_deleted':
    case 'reusable_content_edited': {
      const { id, title, document } = change.reusableContent;
      const reusableContent = { id, title, document: documentId(document) };
      return change.type === 'reusable_content_edited'
        ? { type: change.type, reusableContent, attributes: attributes(change.attributes) }
        : { type: change.type, reusableContent };
    }
    case 'page_edited':
      return { ...change, attributes: attributes(change.attributes) };
    default:
      return change;
  }
}
