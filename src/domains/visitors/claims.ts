import { createHash } from 'node:crypto';

/** The claims of a visitor of a site. Conditions read them as `visitor.claims`. */
export interface VisitorClaims {
  /** Claims of a JWT that was signed with the key of the site. */
  readonly signed: Claims;
  /** Claims of a cookie or the address: anyone can send them, so they personalise and protect nothing. */
  readonly unsigned: Claims;
}

export type Claims = Readonly<Record<string, unknown>>;

export const NO_CLAIMS: VisitorClaims = { signed: {}, unsigned: {} };

/** The limit in characters of the JSON text. */
export const MAX_UNSIGNED_CLAIMS = 4096;

/** Nested deeper, claims are refused: they are walked recursively. */
const MAX_DEPTH = 10;

/** Claims about the token itself. They differ in every token, so that no two visitors would see the same cached page. */
const TOKEN_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti']);

const withoutTokenClaims = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));

/**
 * The value of `visitor.claims`: all that expressions can read of a visitor. Unsigned claims are in one member, which no
 * signed claim can replace.
 */
export const claimsValue = ({ signed, unsigned }: VisitorClaims): Claims => ({
  ...withoutTokenClaims(signed),
  unsigned: withoutTokenClaims(unsigned),
});

/** The reverse of `claimsValue`, for claims that a preview invents. */
export function separateClaims({ unsigned = {}, ...signed }: Claims): VisitorClaims {
  return { signed, unsigned: isClaims(unsigned) ? unsigned : {} };
}

/** Unsigned claims from JSON text. Text that is no small JSON object has no claims: a visitor is never refused for it. */
export function parseUnsignedClaims(text: string): Claims {
  if (text.length > MAX_UNSIGNED_CLAIMS) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isClaims(value) ? value : {};
  } catch {
    return {};
  }
}

export const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isShallow(value, MAX_DEPTH);

const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1)));

/**
 * Visitors with the same class see the same pages: part of the key of cached pages. It is made of the value that expressions
 * read, so that no expression can tell two visitors of one class apart. Independent of the order of members.
 */
export function visitorClass(claims: VisitorClaims): string {
  const text = JSON.stringify(sorted(claimsValue(claims)));
  return text === NOTHING ? '' : createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Objects and lists are marked, so that no list equals an object. JSON text can hold numbers that JSON cannot write. */
function sorted(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return ['number', '-0'];
    return Number.isFinite(value) ? value : ['number', String(value)];
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return ['object', ...members.map(([name, member]) => [name, sorted(member)])];
}

const NOTHING = JSON.stringify(sorted(claimsValue(NO_CLAIMS)));
