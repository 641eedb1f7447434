import { targetOfLinkPage } from '../../../content-engine/links/index.ts';
import { walkPages, type ContentRef } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { OpenSpace } from '../../../site/read/pages/open-space.ts';
import { resolveInOtherSpaces } from '../../../site/read/pages/other-spaces.ts';
import { resolveRefs } from '../../../site/read/pages/resolve-refs.ts';
import { answered, jsonOf } from '../../revisions/index.ts';
import type { SiteVisit } from '../visit.ts';

/** The ids of those link pages of a space that lead to something that the visitor may read: pages list no others. */
export async function shownLinks(
  ctx: Context,
  visit: SiteVisit,
  space: OpenSpace,
): Promise<ReadonlySet<string>> {
  const key = `visit ${visit.key} links ${space.siteSpace.id}`;
  const { body } = await answered(ctx.caches.revisionAnswers, key, async () => ({
    json: jsonOf(await listLinks(visit, space)),
    version: 'links',
  }));
  return new Set(JSON.parse(body.toString('utf8')) as string[]);
}

async function listLinks({ reader, addresses }: SiteVisit, space: OpenSpace): Promise<string[]> {
  const targets = new Map<string, ContentRef>();
  for (const { page } of walkPages(space.tree))
    if (page.type === 'link' && space.pages.mayRead(page.id))
      targets.set(page.id, targetOfLinkPage(space.tree, page));
  const from = { space, pageId: '' };
  const { entries } = await resolveInOtherSpaces(reader, addresses, from, targets.values());
  const { targetOf } = resolveRefs(reader, addresses, from, entries);
  return [...targets].flatMap(([id, ref]) => (targetOf(ref)?.href === undefined ? [] : [id]));
}
