import {
  isClaims,
  NO_CLAIMS,
  parseUnsignedClaims,
  verifyVisitorToken,
  visitorClass,
  type Claims,
  type VisitorClaims,
} from '../../domains/visitors/index.ts';
import { PREVIEW_PARAMETER, readPreview } from '../../domains/publishing/index.ts';
import { shareKeyOf, siteUrl } from '../../domains/spaces/index.ts';
import type { Caller, Context } from '../../platform/api/context.ts';
import type { PublishedSite } from './published-site.ts';

/** Cookies of a site. Their path is that of the site, so that sites on one host do not share them. */
export const COOKIE_PREFIX = 'octavo-';
export const SHARE_COOKIE = `${COOKIE_PREFIX}share`;
export const TOKEN_COOKIE = `${COOKIE_PREFIX}visitor-token`;
export const CLAIMS_COOKIE = `${COOKIE_PREFIX}visitor-public`;
export const PREVIEW_COOKIE = `${COOKIE_PREFIX}preview`;

export { PREVIEW_PARAMETER };

export type Refusal = 'share-link' | 'sign-in' | 'not-published';

/** A user, by one of their tokens of the API. */
export interface Previewer {
  readonly userId: string;
  readonly tokenId: string;
}

export interface Visitor {
  readonly claims: VisitorClaims;
  /** Visitors of one class see the same pages. */
  readonly class: string;
  /** Who previews the site. What they may view is checked with each request. */
  readonly previewer?: Previewer;
  /** Why they may read nothing; undefined: they are admitted. */
  readonly refusal: Refusal | undefined;
}

type VisitorContext = Pick<Context, 'keys' | 'addresses' | 'now'>;

const refused = (refusal: Refusal): Visitor => ({ claims: NO_CLAIMS, class: '', refusal });

/** A visitor who is not admitted: the site does not exist for them. */
export const UNADMITTED: Visitor = refused('not-published');

/** Whether a visitor with these cookies may read a site, and what is known of them. */
export async function identifyVisitor(
  ctx: VisitorContext,
  site: PublishedSite,
  cookies: ReadonlyMap<string, string>,
): Promise<Visitor> {
  const previewing = previewerOf(ctx, site, cookies.get(PREVIEW_COOKIE));
  if (previewing) return previewing;
  return admitVisitor(site, {
    hasKey: () => hasKey(ctx, site, cookies.get(SHARE_COOKIE)),
    async signedClaims() {
      const token = cookies.get(TOKEN_COOKIE);
      return token === undefined ? undefined : (await verifiedClaims(ctx, site, token))?.claims;
    },
    unsignedClaims: () => parseUnsignedClaims(cookies.get(CLAIMS_COOKIE) ?? ''),
  });
}

/** The credentials of a visitor, read only if the site needs them. */
export interface Credentials {
  hasKey(): boolean;
  /** Undefined: they have not signed in. */
  signedClaims(): Promise<Claims | undefined>;
  unsignedClaims(): Claims;
}

/** The one decision about who may read a site that is published. */
export async function admitVisitor(
  site: Pick<PublishedSite, 'published_at' | 'visibility' | 'adaptive_content'>,
  credentials: Credentials,
): Promise<Visitor> {
  if (!site.published_at) return refused('not-published');
  if (site.visibility === 'share-link' && !credentials.hasKey()) return refused('share-link');
  const needsToken = site.visibility === 'visitor-auth';
  // Without adaptive content, claims have no effect, and all visitors get the same cached pages.
  if (!needsToken && !site.adaptive_content) return { claims: NO_CLAIMS, class: '', refusal: undefined };
  const signed = await credentials.signedClaims();
  if (needsToken && !signed) return refused('sign-in');
  const claims: VisitorClaims = {
    signed: signed ?? {},
    unsigned: site.adaptive_content ? credentials.unsignedClaims() : {},
  };
  return { claims, class: visitorClass(claims), refusal: undefined };
}

/** A user who previews sites without any claims. */
export const previewVisitor = ({ id, tokenId }: Pick<Caller, 'id' | 'tokenId'>): Visitor => ({
  claims: NO_CLAIMS,
  class: `preview ${id} `,
  previewer: { userId: id, tokenId },
  refusal: undefined,
});

/** A member of the organization who sees the site with the claims of a visitor that they chose. */
export function previewerOf(
  { keys, now }: Pick<VisitorContext, 'keys' | 'now'>,
  { id }: Pick<PublishedSite, 'id'>,
  token: string | undefined,
): Visitor | undefined {
  const preview = token === undefined ? undefined : readPreview(keys, token, id, now());
  if (!preview) return undefined;
  const { userId, tokenId } = preview;
  const { unsigned, ...signed } = preview.claims;
  const claims: VisitorClaims = { signed, unsigned: isClaims(unsigned) ? unsigned : {} };
  return {
    claims,
    class: `preview ${userId} ${visitorClass(claims)}`,
    previewer: { userId, tokenId },
    refusal: undefined,
  };
}

/** Whether a visitor may learn that there is such a site. To all others, it is an address without a site. */
export const isShownTo = (
  ctx: Pick<VisitorContext, 'keys' | 'now'>,
  site: Pick<PublishedSite, 'id' | 'published_at'>,
  cookies: ReadonlyMap<string, string>,
): boolean => Boolean(site.published_at) || previewerOf(ctx, site, cookies.get(PREVIEW_COOKIE)) !== undefined;

/** Whether an active share link of the site has this key. */
export const hasKey = (
  { keys }: Pick<Context, 'keys'>,
  { key_hashes: hashes }: Pick<PublishedSite, 'key_hashes'>,
  key: string | undefined,
): boolean => key !== undefined && hashes.includes(shareKeyOf(keys, key)?.hash ?? '');

/** Names and addresses of this site alone: an address of the service is that of all its sites. */
function audienceOf({ addresses }: Pick<Context, 'addresses'>, site: PublishedSite): string[] {
  const { id, basename, hostname } = site;
  const urls = [
    siteUrl(addresses, site, []),
    siteUrl(addresses, { basename, hostname: null, proxy_origin: null }, []),
  ];
  if (hostname !== null) urls.push(`https://${hostname}/`);
  return [id, ...(hostname === null ? [] : [hostname]), ...urls.flatMap((url) => [url, url.slice(0, -1)])];
}

/** The claims of a valid token of this site. */
export async function verifiedClaims(
  ctx: VisitorContext,
  site: PublishedSite,
  token: string,
): Promise<{ readonly claims: Claims; readonly expiresAt: Date } | undefined> {
  const { visitorAuth } = site;
  if (!visitorAuth) return undefined;
  const verification = await verifyVisitorToken(token, {
    key: visitorAuth.privateKey,
    audience: audienceOf(ctx, site),
    now: ctx.now(),
  });
  return verification.ok ? verification : undefined;
}
