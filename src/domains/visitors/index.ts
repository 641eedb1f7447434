export {
  claimsValue,
  isClaims,
  mayReadTokenClaims,
  NO_CLAIMS,
  parseUnsignedClaims,
  separateClaims,
  visitorClass,
  type Claims,
  type VisitorClaims,
} from './claims.ts';
export { mayRead, requireCondition, visitorScope } from './may-read.ts';
export { MAX_TOKEN, verifyVisitorToken, type Verification } from './verify-token.ts';
