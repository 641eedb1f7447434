import { checkExpression, evaluateCondition, type Scope } from '../../content-engine/expressions/index.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { claimsValue, type VisitorClaims } from './claims.ts';

/** The names that a condition on a section, a site space or a link may read. Pages and blocks add `space` and `page`. */
export const visitorScope = (claims: VisitorClaims): Scope => ({ visitor: { claims: claimsValue(claims) } });

/** Whether a condition admits a visitor. Without one, everyone; a condition that fails or has an error hides. */
export const mayRead = (condition: string | null | undefined, claims: VisitorClaims): boolean =>
  condition === null ||
  condition === undefined ||
  condition.trim() === '' ||
  evaluateCondition(condition, visitorScope(claims));

/** 400 with the position of the error. `path` is the place of the condition in the request. */
export function requireCondition(condition: string | null | undefined, path: string): void {
  if (!condition?.trim()) return;
  const error = checkExpression(condition);
  if (!error) return;
  // An expression that ends too early has no position of its own.
  const position = ` at position ${error.at ?? condition.length}`;
  throw badRequest(`The condition (${path}) is not valid${position}: ${error.message}.`, [
    { path, rule: `expression${position}: ${error.message}` },
  ]);
}
