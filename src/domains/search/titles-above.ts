import { pagesAbove } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { readTree } from '../content-store/index.ts';
import { findPrimary } from '../revisions/index.ts';

/** The titles above the pages of a space, from its tree. */
export async function titlesAboveIn(ctx: Context, spaceId: string): Promise<(pageId: string) => string[]> {
  const row = await findPrimary(ctx.db, spaceId);
  const tree = await readTree(ctx, row);
  return (pageId) => pagesAbove(tree, pageId).map(({ title }) => title);
}
