import { errors, jwtVerify, SignJWT } from 'jose';
import type { Context } from '../../platform/api/context.ts';
import type { Keys } from '../../platform/keys.ts';
import type { PublishedSite } from '../../site/read/published-site.ts';
import { admitVisitor, UNADMITTED, type Visitor } from '../../site/read/visitor.ts';
import { claimsValue, separateClaims, type Claims } from '../visitors/index.ts';

/**
 * The rights of a program that renders a site. They are in the HTML of every page, so that they say nothing that its
 * visitor does not know.
 */
export interface SiteToken {
  readonly kind: 'site';
  readonly organization: string;
  readonly site: string;
  readonly siteSpace: string;
  readonly siteSection?: string | undefined;
  readonly space: string;
  /** Spaces of the site that the visitor may read. */
  readonly spaces: readonly string[];
  /** The claims as expressions read them. */
  readonly claims: Claims;
  /** The hash of the key of the share link that admitted the visitor. */
  readonly shareLink?: string | undefined;
  /** The version of the private key that signed the claims: with a new key, they are void. */
  readonly visitorAuth?: string | undefined;
  /** A page that is not listed, whose address the visitor knows. */
  readonly page?: string | undefined;
}

/** The limit of one token: it stays small enough for a header. */
const MAX_SPACES = 50;

/** A token is the same for a while, so that the answers that a program has cached for it are used again. */
const WINDOW_SECONDS = 30 * 60;

const ALGORITHM = 'HS256';

const keyOf = (keys: Keys): Uint8Array => new TextEncoder().encode(keys.sign('site-token', 'key'));

const authOf = (keys: Keys, { visitorAuth }: PublishedSite): string | undefined =>
  visitorAuth && keys.sign('site-token-auth', visitorAuth.privateKey).slice(0, 22);

/** The facts that decide about a token, besides the site. */
export interface Admission {
  readonly visitor: Visitor;
  readonly shareLink: string | undefined;
}

/** Valid for half an hour to an hour, and no longer than the token of the visitor. */
export function signSiteToken(
  { keys, now }: Pick<Context, 'keys' | 'now'>,
  site: PublishedSite,
  { visitor, shareLink }: Admission,
  place: Pick<SiteToken, 'siteSpace' | 'siteSection' | 'space' | 'spaces' | 'page'>,
): Promise<string> {
  const { signed } = visitor.claims;
  const windowEnd = (Math.floor(now().getTime() / 1000 / WINDOW_SECONDS) + 2) * WINDOW_SECONDS;
  const signedUntil = typeof signed['exp'] === 'number' ? Math.floor(signed['exp']) : windowEnd;
  const token: SiteToken = {
    kind: 'site',
    organization: site.organization_id,
    site: site.id,
    ...place,
    spaces: place.spaces.slice(0, MAX_SPACES),
    claims: claimsValue(visitor.claims),
    shareLink: site.visibility === 'share-link' ? shareLink : undefined,
    visitorAuth: Object.keys(signed).length > 0 ? authOf(keys, site) : undefined,
  };
  return new SignJWT({ ...token })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setExpirationTime(Math.min(windowEnd, signedUntil))
    .sign(keyOf(keys));
}

/** Undefined: forged or expired. The algorithm is fixed here, and nothing in the token selects a key. */
export async function readSiteToken(
  { keys, now }: Pick<Context, 'keys' | 'now'>,
  token: string,
): Promise<SiteToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, keyOf(keys), {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      requiredClaims: ['exp', 'site', 'organization'],
      currentDate: now(),
    });
    return payload['kind'] === 'site' ? (payload as unknown as SiteToken) : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

/** The visitor for whom a token was signed, if what admitted them still does. */
export async function visitorOfToken(
  { keys }: Pick<Context, 'keys'>,
  site: PublishedSite,
  token: SiteToken,
): Promise<Visitor> {
  const { shareLink, visitorAuth } = token;
  const isClosed =
    site.organization_id !== token.organization ||
    !site.site_spaces.some(({ id }) => id === token.siteSpace) ||
    (visitorAuth !== undefined && visitorAuth !== authOf(keys, site));
  if (isClosed) return UNADMITTED;
  const { signed, unsigned } = separateClaims(token.claims);
  return admitVisitor(site, {
    hasKey: () => shareLink !== undefined && site.key_hashes.includes(shareLink),
    signedClaims: async () => (visitorAuth === undefined ? undefined : signed),
    unsignedClaims: () => unsigned,
  });
}
