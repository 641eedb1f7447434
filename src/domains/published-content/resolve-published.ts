import type { Context, Turn } from '../../platform/api/context.ts';
import { notFound } from '../../platform/api/errors.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { siteAddresses, type Preview, type SiteAddresses } from '../../site/read/addresses.ts';
import { decodeSegment } from '../redirects/index.ts';
import { locate, type Located } from '../../site/read/locate.ts';
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
import { shareKeyOf } from '../spaces/index.ts';
import { MAX_UNSIGNED_CLAIMS } from '../visitors/index.ts';
import { findAddress, type SiteAddress } from './find-address.ts';
import { signSiteToken, type SiteToken } from './site-token.ts';
import { findRequestByNumber } from './store.ts';

export interface PublishedUrlRequest {
  readonly url: string;
  /** The path of `url`, in the request. */
  readonly path: string;
  readonly redirectOnError: boolean;
  readonly jwtToken: string | undefined;
  readonly unsignedClaims: Readonly<Record<string, unknown>>;
}

const isPreview = (path: string): boolean => /\/~\/(changes|revisions)\//.test(path);

const unresolved = () => notFound('Content at this URL');

/**
 * Finds the content at a URL for a visitor with these tokens, as pages do, and a token that reads it. Previews of
 * change requests and revisions are resolved with the rights of the caller, who reads them with their own token: the one that
 * is returned would reach every reader of the page.
 */
export async function resolvePublished(ctx: Context, turn: Turn | undefined, request: PublishedUrlRequest) {
  const address = await findAddress(ctx, parseWebUrl(request.url, request.path));
  if (!address) throw unresolved();
  const { site } = address.served;
  await turn?.take(site.organization_id, site.id);
  const visitor = await visitorAt(ctx, address, request);
  if (visitor.refusal !== undefined) return signIn(address, visitor, request);
  const served =
    visitor.previewer === undefined ? address.served : await openPreview(ctx, address.served, visitor);
  if (!served) throw unresolved();
  const preview: Preview | undefined = 'preview' in served ? (served.preview as Preview) : undefined;
  const reader = await siteReader(ctx, served.site, visitor);
  const addresses = siteAddresses(ctx.addresses, reader, served.basePath, preview);
  const located = await locateWithoutSlash(ctx, reader, addresses, served.path);
  if (located.kind === 'redirect') return redirectTo(address, addresses, located.href);
  const siteSpace = located.kind === 'page' ? located.space.siteSpace : located.siteSpace;
  if (!siteSpace) throw unresolved();
  const href =
    located.kind === 'page' ? addresses.page(located.space, located.page.id) : addresses.space(siteSpace);
  const place = {
    siteSection: siteSpace.sectionId ?? undefined,
    siteSpace: siteSpace.id,
    space: siteSpace.spaceId,
  };
  const resolved = {
    ...placeOf(reader, siteSpace, address, preview),
    ...place,
    site: served.site.id,
    organization: served.site.organization_id,
    shareKey: address.shareKey,
    canonicalUrl: addresses.absolute(href),
  };
  if (preview) {
    const apiToken = await publishedToken(ctx, address, request, place);
    return { ...resolved, apiToken, ...(await previewed(ctx, siteSpace, preview)) };
  }
  const page =
    located.kind === 'page' && !located.space.pages.isListed(located.page.id) ? located.page.id : undefined;
  const shareLink = shareLinkOf(ctx, address);
  const spaces = [...new Set([siteSpace, ...reader.siteSpaces].map(({ spaceId }) => spaceId))];
  return {
    ...resolved,
    apiToken: await signSiteToken(ctx, served.site, { visitor, shareLink }, { ...place, spaces, page }),
    contextId: [visitor.class, page].filter(Boolean).join('-') || undefined,
  };
}

const shareLinkOf = ({ keys }: Context, { shareKey }: SiteAddress) => shareKeyOf(keys, shareKey)?.hash;

/** The token of a preview reads what is published: it opens nothing to those who may not read that. */
async function publishedToken(
  ctx: Context,
  address: SiteAddress,
  request: PublishedUrlRequest,
  place: Pick<SiteToken, 'siteSpace' | 'siteSection' | 'space'>,
): Promise<string> {
  const { site } = address.served;
  const visitor = await identifyVisitor(ctx, site, cookiesOf(address, request));
  const admission = { visitor, shareLink: shareLinkOf(ctx, address) };
  return signSiteToken(ctx, site, admission, { ...place, spaces: [place.space] });
}

async function visitorAt(ctx: Context, address: SiteAddress, request: PublishedUrlRequest): Promise<Visitor> {
  const { site, path } = address.served;
  if (!isPreview(path)) return identifyVisitor(ctx, site, cookiesOf(address, request));
  if (!ctx.optionalCaller) throw unresolved();
  return previewVisitor(ctx.caller);
}

/** A slash at the end alone is no other address: programs remove it, and would be redirected for ever. */
async function locateWithoutSlash(
  ctx: Context,
  reader: SiteReader,
  addresses: SiteAddresses,
  path: string,
): Promise<Located> {
  const located = await locate(ctx, reader, addresses, path);
  if (located.kind !== 'redirect') return located;
  const to = located.href.slice(addresses.basePath.length);
  return withoutSlash(to) === withoutSlash(path) ? locate(ctx, reader, addresses, to) : located;
}

const withoutSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

const tokenOf = ({ url }: SiteAddress, { jwtToken }: PublishedUrlRequest): string | undefined =>
  jwtToken ?? url.searchParams.get('jwt_token') ?? undefined;

/** Limits the bytes: claims become part of a token, which is sent in a header. */
const isSmall = (claims: string): boolean => Buffer.byteLength(claims) <= MAX_UNSIGNED_CLAIMS;

/** The cookies that the visitor would send, had they opened the URL in a browser. */
function cookiesOf(address: SiteAddress, request: PublishedUrlRequest): Map<string, string> {
  const { shareKey } = address;
  const token = tokenOf(address, request);
  const unsigned = JSON.stringify(request.unsignedClaims);
  return new Map([
    ...(shareKey === undefined ? [] : [[SHARE_COOKIE, shareKey] as const]),
    ...(token === undefined ? [] : [[TOKEN_COOKIE, token] as const]),
    ...(isSmall(unsigned) ? [[CLAIMS_COOKIE, unsigned] as const] : []),
  ]);
}

/** A visitor without a token signs in; of one whose token is not valid, the program decides. */
function signIn(address: SiteAddress, { refusal }: Visitor, request: PublishedUrlRequest) {
  const { served } = address;
  const fallback = refusal === 'sign-in' ? served.site.visitorAuth?.fallbackUrl : undefined;
  const redirect = fallback === undefined ? undefined : signInUrl(fallback, served.path);
  const mayRedirect = request.redirectOnError || tokenOf(address, request) === undefined;
  if (!mayRedirect || redirect === undefined) throw unresolved();
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
  const named = (previewAt < 0 ? sent : sent.slice(0, previewAt)).map((each) => decodeSegment(each) ?? '');
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
