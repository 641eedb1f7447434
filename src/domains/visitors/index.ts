export {
  claimsValue,
  isClaims,
  MAX_UNSIGNED_CLAIMS,
  NO_CLAIMS,
  parseUnsignedClaims,
  separateClaims,
  visitorClass,
  type Claims,
  type VisitorClaims,
} from './claims.ts';
export { mayRead, requireCondition, visitorScope } from './may-read.ts';
export { verifyVisitorToken } from './verify-token.ts';
