import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** `service`: the address of the service itself. `site`: every other host, which a published site may have. */
export type HostKind = 'service' | 'site';

/**
 * The host of a request, in lower case, without its port and without the dot of a fully qualified name. Read from `Host` alone: a reverse proxy passes it on, and
 * `X-Forwarded-Host` can be sent by anyone.
 */
export function hostOf({ host = '' }: { readonly host?: string | undefined }): string {
  const name = host.toLowerCase();
  if (name.startsWith('[')) return name.slice(1, name.indexOf(']'));
  return (name.split(':', 1)[0] ?? '').replace(/\.$/, '');
}

/** The longest name in DNS. */
const MAX_HOST = 253;
const MAX_HEADER = MAX_HOST + ':65535'.length;

/** Whether no host has such a name: refused before anything remembers it. */
export const isHostTooLong = (headers: { readonly host?: string | undefined }): boolean =>
  (headers.host ?? '').length > MAX_HEADER || hostOf(headers).length > MAX_HOST;

/** An IP address or a name without a dot (`localhost`, a container) reaches the service itself: no site has one. */
export const hostKindOf = (host: string, serviceHost: string): HostKind =>
  host === serviceHost || !host.includes('.') || isIP(host) !== 0 ? 'service' : 'site';

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
