import type { FastifyInstance } from 'fastify';
import { hostKindOf, hostOf } from './host.ts';

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];
type RouteHandler = NonNullable<ReturnType<ReturnType<Strategy['storage']>['get']>>;

/** Routes by the kind of host. `serviceHost`: the host of the service's own address. */
export const hostConstraint = (serviceHost: string): Strategy => ({
  name: 'hostKind',
  storage: () => {
    const handlers = new Map<unknown, RouteHandler>();
    return {
      get: (kind) => handlers.get(kind) ?? null,
      set: (kind, handler) => void handlers.set(kind, handler),
    };
  },
  deriveConstraint: ({ headers }) => hostKindOf(hostOf(headers), serviceHost),
});
