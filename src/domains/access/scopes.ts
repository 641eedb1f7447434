/** The scopes of tokens. A token without scopes has all the rights of its user. */
export const SCOPES = [
  'user:read',
  'organization:read',
  'organization:write',
  'organization:members:read',
  'organization:members:write',
  'organization:search',
  'organization:ask',
  'space:read',
  'space:write',
  'space:permissions:read',
  'space:permissions:write',
  'change-request:merge',
  'site:read',
  'site:write',
  'site:publish',
  'site:auth:read',
  'site:auth:write',
  'site:permissions:read',
  'site:permissions:write',
  'site:insights:read',
  'site:search',
  'site:ask',
  'openapi:read',
  'openapi:write',
  'integration:read',
  'integration:publish',
  'integration:delete',
  'integration:installations:read',
  'integration:installations:write',
  'webhook:read',
  'webhook:write',
] as const;

type Listed = Readonly<Record<(typeof SCOPES)[number], true>>;

// The scopes that declarations of operations may name.
declare module '../../platform/api/scope.ts' {
  interface ScopeNames extends Listed {}
}
