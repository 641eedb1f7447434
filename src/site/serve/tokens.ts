import type { PageAnswer, Visit } from '../../platform/http/pages/page.ts';
import { decodeSegment } from '../../domains/redirects/index.ts';
import { type ServedSite } from '../read/find-site.ts';
import {
  CLAIMS_COOKIE,
  hasKey,
  isShownTo,
  PREVIEW_COOKIE,
  PREVIEW_PARAMETER,
  previewerOf,
  SHARE_COOKIE,
  TOKEN_COOKIE,
  verifiedClaims,
} from '../read/visitor.ts';
import { redirectTo } from './request.ts';

const TOKEN_PARAMETER = 'jwt_token';
/** `visitor.plan=pro`: unsigned claims. */
const CLAIM_PARAMETER = /^visitor\.([A-Za-z0-9_]{1,64})$/;
const MAX_CLAIMS = 50;
/** A share link stays open for as long as it is active: browsers keep cookies for 400 days at most. */
const SHARE_SECONDS = 400 * 24 * 60 * 60;
const CLAIMS_SECONDS = 30 * 24 * 60 * 60;

/**
 * A token in the address becomes a cookie, and the address is requested again without it: it is not kept
 * in histories and logs of links. Undefined: the address has nothing of this kind.
 */
export async function takeTokens(visit: Visit, served: ServedSite): Promise<PageAnswer | undefined> {
  const preview = takePreview(visit, served);
  // An answer would tell that there is a site.
  if (preview || !served.site.published_at) return preview;
  return takeKey(visit, served) ?? (await takeToken(visit, served)) ?? takeClaims(visit, served);
}

const PREVIEW_SECONDS = 60 * 60;

/** The address that the API returns for a preview, and the one that ends it. */
function takePreview(visit: Visit, served: ServedSite): PageAnswer | undefined {
  if (served.path === '/~octavo/leave-preview' && isShownTo(visit.ctx, served.site, visit.cookies))
    return withCookie(visit, served, redirectTo(`${served.basePath}/`, 302), PREVIEW_COOKIE, '', 0);
  const token = visit.query.get(PREVIEW_PARAMETER) ?? undefined;
  if (!previewerOf(visit.ctx, served.site, token)) return undefined;
  const query = without(visit.query, (name) => name === PREVIEW_PARAMETER);
  const answer = redirectTo(addressOf(served, served.path, query), 302);
  return withCookie(visit, served, answer, PREVIEW_COOKIE, token ?? '', PREVIEW_SECONDS);
}

/** The key of a share link is the first segment of the path. */
function takeKey(visit: Visit, served: ServedSite): PageAnswer | undefined {
  const { site, path } = served;
  if (site.key_hashes.length === 0) return undefined;
  const [, segment = '', rest = ''] = /^\/([^/]+)(\/.*)?$/s.exec(path) ?? [];
  const key = decodeSegment(segment);
  if (!hasKey(visit.ctx, site, key)) return undefined;
  const answer = redirectTo(addressOf(served, rest || '/', visit.query), 302);
  return site.visibility === 'share-link'
    ? withCookie(visit, served, answer, SHARE_COOKIE, key ?? '', SHARE_SECONDS)
    : answer;
}

/** An invalid token is ignored: the visitor is refused as one without a token is. */
async function takeToken(visit: Visit, served: ServedSite): Promise<PageAnswer | undefined> {
  const token = visit.query.get(TOKEN_PARAMETER);
  if (token === null) return undefined;
  const verified = await verifiedClaims(visit.ctx, served.site, token);
  if (!verified) return undefined;
  const query = without(visit.query, (name) => name === TOKEN_PARAMETER);
  const seconds = Math.max(0, Math.floor((verified.expiresAt.getTime() - visit.ctx.now().getTime()) / 1000));
  const answer = redirectTo(addressOf(served, served.path, query), 302);
  return withCookie(visit, served, answer, TOKEN_COOKIE, token, seconds);
}

function takeClaims(visit: Visit, served: ServedSite): PageAnswer | undefined {
  if (!served.site.adaptive_content) return undefined;
  const claims: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of visit.query) {
    const claim = CLAIM_PARAMETER.exec(name)?.[1];
    if (claim !== undefined && Object.keys(claims).length < MAX_CLAIMS) claims[claim] = claimValue(value);
  }
  if (Object.keys(claims).length === 0) return undefined;
  const query = without(visit.query, (name) => CLAIM_PARAMETER.test(name));
  const answer = redirectTo(addressOf(served, served.path, query), 302);
  return withCookie(visit, served, answer, CLAIMS_COOKIE, JSON.stringify(claims), CLAIMS_SECONDS);
}

const claimValue = (text: string): string | boolean =>
  text === 'true' ? true : text === 'false' ? false : text;

function without(query: URLSearchParams, isTaken: (name: string) => boolean): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !isTaken(name)));
}

/** Begins with one slash, so that it never leads to another host. */
function addressOf({ basePath }: ServedSite, path: string, query: URLSearchParams): string {
  const search = query.toString();
  return `${basePath}/${path.replace(/^[/\\]+/, '')}${search === '' ? '' : `?${search}`}`;
}

function withCookie(
  { ctx }: Visit,
  { basePath }: ServedSite,
  answer: PageAnswer,
  name: string,
  value: string,
  seconds: number,
): PageAnswer {
  const isSecure = ctx.addresses.of('').startsWith('https:');
  const cookie = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${basePath || '/'}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
  return { ...answer, cacheControl: 'no-store', headers: { 'set-cookie': cookie } };
}
