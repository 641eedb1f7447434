import { ApiError } from '../../platform/api/errors.ts';
import { policyText } from '../../platform/api/content-security-policy.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { pagePolicy, renderAccessPage, renderFailure, renderNotFound } from '../index.ts';
import type { AccessView, SiteView } from '../model.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import { resolveInOtherSpaces } from '../read/pages/other-spaces.ts';
import { resolveRefs } from '../read/pages/resolve-refs.ts';
import type { SiteSpaceColumns } from '../read/store.ts';
import type { Refusal } from '../read/visitor.ts';
import { acceptsHtml } from './negotiate.ts';
import { ORIGIN } from './origin.ts';
import { answerWith, redirectTo, type SiteRequest } from './request.ts';
import { settingRefs } from './view/setting-refs.ts';
import { signInUrl } from './sign-in-url.ts';
import { siteView } from './view/site-view.ts';
import { treeView } from './view/tree-view.ts';

/** An HTML document that is made for each request. */
export const answerHtml = (
  request: SiteRequest,
  site: SiteView,
  html: string,
  status: number,
): Promise<PageAnswer> =>
  answerWith(
    request,
    {
      body: Buffer.from(html),
      etag: '',
      type: 'text/html; charset=utf-8',
      policy: policyText(pagePolicy(site, ORIGIN)),
      revisions: new Map(),
      files: new Set(),
      page: undefined,
    },
    status,
  );

/** The frame of a page that is not one of the content. */
export async function framedView(
  { reader, addresses, visit }: SiteRequest,
  siteSpace: SiteSpaceColumns | undefined,
): Promise<{ readonly view: SiteView; readonly space: OpenSpace | undefined }> {
  const assets = visit.ctx.caches.sites.assets();
  const space = siteSpace && (await reader.open(siteSpace));
  const customization = await reader.customizationOf(siteSpace);
  const from = space && { space, pageId: '' };
  const others = from && (await resolveInOtherSpaces(reader, addresses, from, settingRefs(customization)));
  const refs = from && others && resolveRefs(reader, addresses, from, others.entries);
  return { view: siteView({ reader, addresses, assets, customization, siteSpace, refs }), space };
}

export async function answerNotFound(
  request: SiteRequest,
  siteSpace: SiteSpaceColumns | undefined,
): Promise<PageAnswer> {
  const { view, tree } = await viewWithTree(request, siteSpace ?? request.reader.siteSpaces[0]);
  return answerHtml(request, view, renderNotFound(view, tree), 404);
}

/** To browsers, in place of a page that is too large or could not be rendered in time. Programs get the error. */
export async function answerFailure(
  request: SiteRequest,
  siteSpace: SiteSpaceColumns,
  error: unknown,
): Promise<PageAnswer> {
  if (!(error instanceof ApiError) || !acceptsHtml(request.visit.headers['accept'])) throw error;
  const { status, headers } = error;
  if (status !== 413 && status !== 503) throw error;
  const { view, tree } = await viewWithTree(request, siteSpace);
  const answer = await answerHtml(request, view, renderFailure(view, tree, status), status);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

async function viewWithTree(request: SiteRequest, siteSpace: SiteSpaceColumns | undefined) {
  const { reader, addresses } = request;
  const { view, space } = await framedView(request, siteSpace);
  const refs = space && resolveRefs(reader, addresses, { space, pageId: '' }, new Map());
  const tree = space && refs ? treeView({ addresses, space, refs, pageId: undefined }) : [];
  return { view, tree };
}

/** To visitors who may not read the site: nothing of its content or structure. */
export async function answerAccess(
  request: SiteRequest,
  refusal: Exclude<Refusal, 'not-published'>,
): Promise<PageAnswer> {
  const { site, visit, path } = request;
  const fallback = refusal === 'sign-in' ? site.visitorAuth?.fallbackUrl : undefined;
  const signIn = fallback === undefined ? undefined : signInUrl(fallback, path);
  // A visitor who comes with a token that is refused would be sent back and forth.
  if (signIn !== undefined && !visit.query.has('jwt_token'))
    return { ...redirectTo(signIn, 302), cacheControl: 'no-store' };
  const { view } = await framedView(request, undefined);
  const access: AccessView =
    refusal === 'sign-in' ? { reason: refusal, signInHref: signIn } : { reason: refusal };
  return answerHtml(request, view, renderAccessPage(view, access), 403);
}
