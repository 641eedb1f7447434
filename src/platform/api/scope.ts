import type { TSchema } from 'typebox';

/**
 * The scopes that tokens can be limited to, as keys. The product adds its own by declaration merging, so that the platform
 * knows none of them and a misspelled one in a declaration does not compile.
 */
export interface ScopeNames {}

export type Scope = keyof ScopeNames;

/** Marks a member of a request with the scope that a scoped token needs to send it, in addition to the operation's. */
export const MEMBER_SCOPE = Symbol('member scope');

/** Marks a member that does what another scope protects: a default role gives roles, as a grant does. */
export const needsScope = <S extends TSchema>(scope: Scope, schema: S): S => {
  const { description } = schema as { description?: string };
  const note = `A scoped token needs \`${scope}\` to send it`;
  return { ...schema, description: description ? `${description}. ${note}` : note, [MEMBER_SCOPE]: scope };
};
