import type { Context } from '../../platform/api/context.ts';
import { notFound } from '../../platform/api/errors.ts';
import { siteAddresses, type Preview, type SiteAddresses } from '../../site/read/addresses.ts';
import { decoded } from '../../site/read/find-site.ts';
import { locate } from '../../site/read/locate.ts';
import { placesOf } from '../../site/read/places.ts';
import { openPreview } from '../../site/read/preview.ts';
import { siteReader, type SiteReader } from '../../site/read/site-reader.ts';
import type { SiteSpaceColumns } from '../../site/read/store.ts';
import {
  CLAIMS_COOKIE,
  identifyVisitor,
  previewVisitor,
  SHARE_COOKIE,
  TOKEN_COOKIE,
  type Visitor,
} from '../../site/read/visitor.ts';
import { signInUrl } from '../../site/serve/sign-in-url.ts';
import { findAddress, parseUrl, type SiteAddress } from './find-address.ts';
import { findRequestByNumber } from './store.ts';

export interface PublishedUrlRequest {
  readonly url: string;
  /** Of `url`, in the request. */
  readonly path: string;
  readonly redirectOnError: boolean;
  readonly jwtToken: string | undefined;
  readonly unsignedClaims: Readonly<Record<string, unknown>>;
}

const isPreview = (path: string): boolean => /\/~\/(changes|revisions)\//.test(path);

const unresolved = () => notFound('Content at this URL');

/**
 * What a visitor with these tokens finds at a URL, by the same way as pages. Previews of change requests and revisions are
 * resolved with the rights of the caller.
 */
export async function resolvePublished(ctx: Context, request: PublishedUrlRequest) {
  const address = await findAddress(ctx, parseUrl(request.url, request.path));
  if (!address) throw unresolved();
  const visitor = isPreview(address.served.path)
    ? previewVisitor(ctx.caller.id)
    : await identifyVisitor(ctx, address.served.site, cookiesOf(address, request));
  if (visitor.refusal !== undefined) return signIn(address, visitor, request);
  const served =
    visitor.previewer === undefined ? address.served : await openPreview(ctx, address.served, visitor);
  if (!served) throw unresolved();
  const preview: Preview | undefined = 'preview' in served ? (served.preview as Preview) : undefined;
  const reader = await siteReader(ctx, served.site, visitor);
  const addresses = siteAddresses(ctx.addresses, reader, served.basePath, preview);
  const located = await locate(ctx, reader, addresses, served.path);
  if (located.kind === 'redirect') return redirectTo(address, addresses, located.href);
  const siteSpace = located.kind === 'page' ? located.space.siteSpace : located.siteSpace;
  if (!siteSpace) throw unresolved();
  const href =
    located.kind === 'page' ? addresses.page(located.space, located.page.id) : addresses.space(siteSpace);
  return {
    ...placeOf(reader, siteSpace, address, preview),
    ...(preview && (await previewed(ctx, siteSpace, preview))),
    site: served.site.id,
    siteSection: siteSpace.sectionId ?? undefined,
    siteSpace: siteSpace.id,
    space: siteSpace.spaceId,
    organization: served.site.organization_id,
    shareKey: address.shareKey,
    contextId: preview || visitor.class === '' ? undefined : visitor.class,
    canonicalUrl: addresses.absolute(href),
  };
}

/** What the visitor would send as cookies, had they opened the URL in a browser. */
function cookiesOf({ url, shareKey }: SiteAddress, request: PublishedUrlRequest): Map<string, string> {
  const token = request.jwtToken ?? url.searchParams.get('jwt_token') ?? undefined;
  return new Map([
    ...(shareKey === undefined ? [] : [[SHARE_COOKIE, shareKey] as const]),
    ...(token === undefined ? [] : [[TOKEN_COOKIE, token] as const]),
    [CLAIMS_COOKIE, JSON.stringify(request.unsignedClaims)],
  ]);
}

function signIn({ served }: SiteAddress, { refusal }: Visitor, { redirectOnError }: PublishedUrlRequest) {
  const fallback = refusal === 'sign-in' ? served.site.visitorAuth?.fallbackUrl : undefined;
  const redirect = fallback === undefined ? undefined : signInUrl(fallback, served.path);
  if (!redirectOnError || redirect === undefined) throw unresolved();
  return { target: 'external' as const, redirect };
}

/** On the same host, and with the same share key. */
function redirectTo({ url, siteBasePath }: SiteAddress, { basePath }: SiteAddresses, href: string) {
  const path = siteBasePath + href.slice(basePath.length + 1);
  return { target: 'content' as const, redirect: `${url.origin}${path}${url.search}` };
}

/** Divides the path of the URL into those of the site, the site space and the page. */
function placeOf(
  reader: SiteReader,
  siteSpace: SiteSpaceColumns,
  { siteBasePath, served: { path } }: SiteAddress,
  preview: Preview | undefined,
) {
  const sent = path.split('/').filter(Boolean);
  const previewAt = preview && preview.segments.length > 0 ? sent.indexOf('~') : -1;
  const named = (previewAt < 0 ? sent : sent.slice(0, previewAt)).map((each) => decoded(each) ?? '');
  const rest =
    [...placesOf(reader, named)].find((place) => place.siteSpace.id === siteSpace.id)?.rest ?? named;
  const ownSegments = named.length - rest.length;
  const below = previewAt < 0 ? ownSegments : previewAt + (preview?.segments.length ?? 0);
  const at = (segments: readonly string[]) => segments.map((segment) => `${segment}/`).join('');
  const page = sent.slice(below);
  const section = reader.site.sectionOf(siteSpace);
  const isSectionNamed = ownSegments > 0 && section?.path.toLowerCase() === named[0]?.toLowerCase();
  const isVariantNamed = ownSegments > (isSectionNamed ? 1 : 0);
  const isWhole =
    (isSectionNamed || reader.sections.length <= 1) &&
    (isVariantNamed || reader.spacesOf(section).length <= 1);
  return {
    siteBasePath,
    basePath: siteBasePath + at(sent.slice(0, below)),
    pathname: `/${page.join('/')}`,
    complete: page.length > 0 || isWhole,
  };
}

async function previewed(ctx: Context, { spaceId, revisionId }: SiteSpaceColumns, { segments }: Preview) {
  const [, kind, id = ''] = segments;
  if (kind === 'revisions') return { revision: revisionId };
  const request = kind === 'changes' && (await findRequestByNumber(ctx.db, ctx.caller.id, spaceId, id));
  return request ? { changeRequest: request.change_request_id } : {};
}
