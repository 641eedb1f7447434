import { isIP } from 'node:net';

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

/** An IP address or a name without a dot (`localhost`, a container) reaches the service itself: no site has one. */
export const hostKindOf = (host: string, serviceHost: string): HostKind =>
  host === serviceHost || !host.includes('.') || isIP(host) !== 0 ? 'service' : 'site';
