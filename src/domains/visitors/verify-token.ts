import { errors, jwtVerify, type JWTPayload } from 'jose';
import { isClaims, type Claims } from './claims.ts';

/** The limit in characters. Cookies and request lines have similar limits. */
export const MAX_TOKEN = 4096;
/** A token that is valid for longer is refused: it could not be revoked but by a new key for everyone. */
const MAX_LIFETIME_SECONDS = 30 * 24 * 60 * 60;
/** Clocks of two servers differ. */
const TOLERANCE_SECONDS = 30;

export type Verification =
  | { readonly ok: true; readonly claims: Claims; readonly expiresAt: Date }
  | { readonly ok: false; readonly reason: string };

export interface VerifyOptions {
  /** The private key of the site, as its admins see it. */
  readonly key: string;
  /** Accepted audiences (`aud`) of a token: the id and the address of the site. A token need not have an audience. */
  readonly audience: readonly string[];
  readonly now: Date;
}

const refused = (reason: string): Verification => ({ ok: false, reason });

/**
 * Verifies the token of a visitor: a JWT signed with HS256 and the key of the site, in compact form. The algorithm is
 * fixed here; nothing in the header of the token selects a key or an algorithm.
 */
export async function verifyVisitorToken(
  token: string,
  { key, audience, now }: VerifyOptions,
): Promise<Verification> {
  if (token.length > MAX_TOKEN) return refused(`The token has more than ${MAX_TOKEN} characters.`);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(key), {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: now,
    });
    if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT')
      return refused('The type (`typ`) of the token must be JWT.');
    if (protectedHeader.cty !== undefined) return refused('A token inside a token is not supported.');
    return checkPayload(payload, audience, now);
  } catch (error) {
    if (error instanceof errors.JOSEError) return refused(reasonOf(error));
    // The library throws plain errors for some malformed input.
    if (error instanceof TypeError || error instanceof SyntaxError) return refused('The token is malformed.');
    throw error;
  }
}

function checkPayload(payload: JWTPayload, audience: readonly string[], now: Date): Verification {
  const { exp = 0, aud } = payload;
  if (!Number.isFinite(exp) || exp - now.getTime() / 1000 > MAX_LIFETIME_SECONDS)
    return refused('The token must expire within 30 days.');
  const addressed = aud === undefined ? undefined : [aud].flat();
  if (addressed && !addressed.some((each) => audience.includes(each)))
    return refused('The token is addressed to another audience (`aud`).');
  if (!isClaims(payload)) return refused('The claims of the token are nested too deeply.');
  return { ok: true, claims: payload, expiresAt: new Date(exp * 1000) };
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The claim \`${error.claim}\` of the token is missing or not valid.`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The token is not signed with the key of this site.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token must be signed with HS256.';
  return 'The token is malformed.';
}
