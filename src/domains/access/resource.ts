import type { Need, Resource } from '../../platform/api/resource.ts';
import { atLeast, type Rank, type Role } from './roles.ts';

/** The caller's effective role, which every loaded row has. */
export interface Authorised {
  readonly role: Role | null;
}

/** The requirement of an action: a least role, or a rule about the row (its author, a team's owner). */
export type Rule<R> = Rank | ((row: R, callerId: string) => boolean);

type Declaration<R extends Authorised, A extends string> = Omit<Resource<R, A>, 'needs'> & {
  readonly needs: Readonly<Record<A, Rule<R> | Need<R>>>;
};

/** `resource<TeamRow>()({ … })`: a resource of the product, whose `needs` are stated in roles. */
export const resource =
  <R extends Authorised>() =>
  <A extends string>(declaration: Declaration<R, A>): Resource<R, A> => {
    const needs = {} as Record<A, Need<R>>;
    for (const action of Object.keys(declaration.needs) as A[]) {
      const stated: Rule<R> | Need<R> = declaration.needs[action];
      needs[action] = typeof stated === 'object' ? stated : needOf(stated);
    }
    return { ...declaration, needs };
  };

function needOf<R extends Authorised>(rule: Rule<R>): Need<R> {
  if (typeof rule === 'function') return { label: 'own', isMet: rule };
  const isMet = ({ role }: R) => atLeast(role, rule);
  return rule === 'guest' ? { label: rule, isMet } : { label: rule, role: rule, isMet };
}
