import { badRequest } from '../../platform/api/errors.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { OutboundError, type Outbound } from '../../platform/outbound/index.ts';

/**
 * The canonical form of a URL to which requests may be sent. 400 for a private address, and a host that does not exist; every
 * delivery checks the address again. A name server that does not answer is no reason to refuse it.
 */
export async function requireReachable(outbound: Outbound, url: string): Promise<string> {
  const { href } = parseWebUrl(url, 'body.url');
  try {
    await outbound.check(href);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'blocked' || error.fault === 'unknown-host')
      throw badRequest(error.message, [{ path: 'body.url', rule: 'must be the URL of a public host' }]);
  }
  return href;
}
