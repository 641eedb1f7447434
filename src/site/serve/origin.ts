/**
 * Placeholder of the host in cached policies: a site may be requested at several hosts, and the scheme is that of the proxy
 * in front. A source without a scheme has that of the page.
 */
export const ORIGIN = 'origin.invalid';

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$/i;

/**
 * The value of the header for a request to this host. An address that a policy cannot name becomes the own origin. A proxy
 * may drop the port (`$host` of nginx): then it is that of the public URL.
 */
export function policyFor(policy: string, named: string | undefined, publicUrl: string): string {
  const { hostname, host: publicHost } = new URL(publicUrl);
  const host = named?.toLowerCase() === hostname ? publicHost : named;
  if (host !== undefined && HOST.test(host)) return policy.replaceAll(ORIGIN, host.toLowerCase());
  return policy.replaceAll(new RegExp(`${ORIGIN.replace('.', '\\.')}[^ ;]*`, 'g'), "'self'");
}
