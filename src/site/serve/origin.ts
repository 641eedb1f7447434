/**
 * Placeholder of the host in cached policies: a site may be requested at several hosts, and the scheme is that of the proxy
 * in front. A source without a scheme has that of the page.
 */
export const ORIGIN = 'origin.invalid';

/** The placeholder with its path. */
const SOURCE = new RegExp(`${ORIGIN.replace('.', '\\.')}[^ ;]*`, 'g');
const HOST = /^[a-z0-9.-]+(:\d{1,5})?$/i;

/**
 * The value of the header for a request to this host. An address that a policy cannot name becomes the own origin. A proxy
 * may drop the port (`$host` of nginx), or listen on the default port, too: then both ports are named.
 */
export function policyFor(policy: string, named: string | undefined, publicUrl: string): string {
  const { hostname, host: publicHost } = new URL(publicUrl);
  const host = named?.toLowerCase();
  if (host === undefined || !HOST.test(host)) return policy.replaceAll(SOURCE, "'self'");
  const hosts = host === hostname && host !== publicHost ? [host, publicHost] : [host];
  return policy.replaceAll(SOURCE, (source) => hosts.map((each) => source.replace(ORIGIN, each)).join(' '));
}
