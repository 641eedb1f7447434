import { equalsSecret, type Keys } from '../../platform/keys.ts';
import { isClaims, type Claims } from '../visitors/index.ts';

/** The member of the query that carries it. */
export const PREVIEW_PARAMETER = 'preview_token';

/** The purpose of this form of the body. */
const PURPOSE = 'site-preview of a token';
const LIFETIME_MS = 60 * 60 * 1000;

/** Shows a site as a visitor with these claims would see it, with the rights of the user who asked for it. */
export interface PreviewToken {
  readonly siteId: string;
  /** Their access is checked again with each request. */
  readonly userId: string;
  /** The API token that requested the preview: the preview ends with it. */
  readonly tokenId: string;
  readonly claims: Claims;
}

export function signPreview(
  keys: Keys,
  { siteId, userId, tokenId, claims }: PreviewToken,
  now: Date,
): string {
  const members = [siteId, userId, tokenId, now.getTime() + LIFETIME_MS, claims];
  const body = Buffer.from(JSON.stringify(members)).toString('base64url');
  return `${body}.${keys.sign(PURPOSE, body)}`;
}

/** Undefined: forged, expired, or for another site. */
export function readPreview(keys: Keys, token: string, siteId: string, now: Date): PreviewToken | undefined {
  const [body = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !equalsSecret(signature, keys.sign(PURPOSE, body))) return undefined;
  const [site, userId, tokenId, expiresAt, claims] = JSON.parse(
    Buffer.from(body, 'base64url').toString('utf8'),
  ) as readonly [string, string, string, number, unknown];
  if (site !== siteId || expiresAt <= now.getTime() || !isClaims(claims)) return undefined;
  return { siteId, userId, tokenId, claims };
}
