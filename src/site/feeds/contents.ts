import { targetOfLinkPage } from '../../content-engine/links/index.ts';
import { findPage, pagesAbove, type PageRecord } from '../../content-engine/tree/index.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { renderContents } from '../index.ts';
import type { ContentsView, Link } from '../model.ts';
import { hrefOfPage } from '../read/former-address.ts';
import { resolveRefs } from '../read/pages/resolve-refs.ts';
import { answerHtml, framedView } from '../serve/answer-page.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sectionCrumb } from '../serve/view/page-view.ts';
import { iconOf } from '../serve/view/site-view.ts';
import { contentsHref } from '../serve/view/tree-view.ts';

/** Entries of one contents page. */
const ENTRIES = 200;

/** All pages of a level that is too long for the sidebar. `rest` is the site space and, unless it is the root, a page. */
export async function serveContents(request: SiteRequest, rest: string): Promise<PageAnswer | undefined> {
  const [siteSpaceId, parentId] = rest.split('/');
  const { reader, addresses, visit } = request;
  const siteSpace = reader.siteSpaces.find(({ id }) => id === siteSpaceId);
  if (!siteSpace) return undefined;
  const { view, space } = await framedView(request, siteSpace);
  if (!space) return undefined;
  const parent = parentId === undefined ? undefined : findPage(space.tree, parentId);
  if (parentId !== undefined && !parent) return undefined;
  const { pages } = space;
  if (parent && !pages.mayRead(parent.id)) return undefined;
  const children = pages.children(parent?.id);
  const from = Math.max(0, Math.floor(Number(visit.query.get('from') ?? 0)) || 0);
  if (from > 0 && from >= children.length) return undefined;
  const refs = resolveRefs(reader, addresses, { space, pageId: '' }, new Map());
  const part = (start: number): Link => ({
    title: `${start + 1}–${Math.min(start + ENTRIES, children.length)}`,
    href: `${contentsHref(addresses, space, parent?.id)}?from=${start}`,
  });
  const hrefTo = (page: PageRecord): string | undefined =>
    page.type === 'link'
      ? refs.targetOf(targetOfLinkPage(space.tree, page))?.href
      : hrefOfPage(addresses, space, page.id);
  const contents: ContentsView = {
    title: parent?.title ?? siteSpace.title,
    breadcrumbs: [
      ...sectionCrumb(reader, addresses, space),
      ...(parent ? [...pagesAbove(space.tree, parent.id), parent] : []).map((page) => ({
        title: page.title,
        href: hrefTo(page) ?? '',
      })),
    ],
    entries: children.slice(from, from + ENTRIES).flatMap((page) => {
      const href = hrefTo(page);
      const title = (page.type === 'document' ? page.label : undefined) ?? page.title;
      const description = page.type === 'document' ? page.description : undefined;
      return href === undefined ? [] : [{ title, href, description, icon: iconOf(page.icon, page.emoji) }];
    }),
    previous: from > 0 ? part(Math.max(0, from - ENTRIES)) : undefined,
    next: from + ENTRIES < children.length ? part(from + ENTRIES) : undefined,
  };
  return answerHtml(request, view, renderContents(view, contents), 200);
}
