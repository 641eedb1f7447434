import type { Context } from '../../../platform/api/context.ts';
import type { Content } from '../../content-store/index.ts';
import { mergeWithSpace, pinMerged, publishingOf } from './merge.ts';
import type { RequestContentRow } from '../policy.ts';
import { bodyTasksFor } from './run-body-tasks.ts';
import type { RequestVersions } from '../store.ts';

/**
 * The content that the space would have after a merge, apart from pinned links. Nothing is locked or written. Conflicts
 * are resolved as an update of the request resolves them at first.
 */
export async function previewMerge(
  ctx: Context,
  { space_id: spaceId }: RequestContentRow,
  versions: RequestVersions,
): Promise<Content> {
  const publishing = await publishingOf(ctx, spaceId, versions);
  const { tree } = publishing.base;
  if (versions.status === 'merged') return { tree, changed: new Map(), texts: new Map() };
  return mergeWithSpace(publishing, versions, bodyTasksFor(ctx, tree));
}

/** Pins the links of a preview, as a merge does. It reads stored links: they must be those of the same revision. */
export async function pinPreview(
  ctx: Context,
  { space_id: spaceId }: RequestContentRow,
  versions: RequestVersions,
  content: Content,
): Promise<Content> {
  const publishing = await publishingOf(ctx, spaceId, versions);
  return pinMerged(ctx, publishing, content);
}
