import type { TSchema } from 'typebox';

/** What a token can be limited to. A token without scopes has all the rights of its user. */
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
] as const;

export type Scope = (typeof SCOPES)[number];

/** Marks a member of a request with the scope that a limited token needs to send it, beyond the operation's own. */
export const MEMBER_SCOPE = Symbol('member scope');

/** For a member that does what another scope guards: a default role gives roles as a grant does. Checked by the kernel. */
export const needsScope = <S extends TSchema>(scope: Scope, schema: S): S => {
  const { description } = schema as { description?: string };
  const note = `A scoped token needs \`${scope}\` to send it`;
  return { ...schema, description: description ? `${description}. ${note}` : note, [MEMBER_SCOPE]: scope };
};
