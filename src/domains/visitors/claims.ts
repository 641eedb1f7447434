import { createHash } from 'node:crypto';

/** What is known of a visitor of a site. Conditions read it as `visitor.claims`. */
export interface VisitorClaims {
  /** From a JWT that was signed with the key of the site. */
  readonly signed: Claims;
  /** From a cookie or the address: anyone can send them, so they personalise and protect nothing. */
  readonly unsigned: Claims;
}

export type Claims = Readonly<Record<string, unknown>>;

export const NO_CLAIMS: VisitorClaims = { signed: {}, unsigned: {} };

/** In characters, of the JSON text. */
export const MAX_UNSIGNED_CLAIMS = 4096;

/** Nested deeper, claims are refused: they are walked recursively. */
const MAX_DEPTH = 10;

/** The value of `visitor.claims`. Unsigned claims are in one member, which no signed claim can replace. */
export const claimsValue = ({ signed, unsigned }: VisitorClaims): Claims => ({ ...signed, unsigned });

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

/** Claims about the token itself, which differ in every token and would make every visitor a class of one. */
const TOKEN_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti']);

/** Whether an expression may depend on them: visitors of one class may then get different results. */
export const mayReadTokenClaims = (expression: string): boolean =>
  /\b(?:exp|iat|nbf|jti)\b|\[/.test(expression);

/** Visitors with the same class see the same pages: part of the key of cached pages. Independent of the order of members. */
export function visitorClass({ signed, unsigned }: VisitorClaims): string {
  const lasting = Object.entries(signed).filter(([name]) => !TOKEN_CLAIMS.has(name));
  if (lasting.length === 0 && Object.keys(unsigned).length === 0) return '';
  const text = JSON.stringify([sorted(Object.fromEntries(lasting)), sorted(unsigned)]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Objects and lists are marked, so that no list equals an object. JSON text can hold numbers that JSON cannot write. */
function sorted(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : ['number', String(value)];
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return ['object', ...members.toSorted(([one], [other]) => (one < other ? -1 : 1))];
}
