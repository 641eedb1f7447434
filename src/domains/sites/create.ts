import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import type { SpaceRow } from '../spaces/index.ts';
import { commonPrefix, freePath } from './paths.ts';
import type { NewSite } from './schema.ts';
import { getSite, insertSite, listBasenamesLike } from './store.ts';
import { addSiteSpaces } from './structure/add.ts';

/** Creates a site that shows the given spaces. It is not published yet. */
export async function createSiteIn(
  ctx: Context,
  organizationId: string,
  input: Static<typeof NewSite>,
  spaces: readonly SpaceRow[],
): Promise<string> {
  const title = input.title ?? 'Untitled';
  const { type, visibility } = input;
  for (;;) {
    const taken = await listBasenamesLike(ctx.db, commonPrefix(title, 'basename'));
    const basename = freePath(title, 'basename', taken);
    const id = await insertSite(ctx.db, { organizationId, type, title, visibility, basename });
    // A concurrent request took the basename: choose the next one.
    if (id === undefined) continue;
    if (spaces.length > 0) await addSiteSpaces(ctx, await getSite(ctx.db, ctx.caller.id, id), spaces);
    return id;
  }
}
