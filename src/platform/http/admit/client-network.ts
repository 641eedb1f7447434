import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The prefix of the smallest IPv6 network of a customer of a provider. */
const PREFIX_BITS = 64;

/** What limits count as one client: an IPv4 address, or an IPv6 network, in which a client has any number of addresses. */
export function clientNetwork(address: string): string {
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return networkOf(ipaddr.process(address));
    default:
      // A proxy sends what is no address.
      return 'unknown';
  }
}

const networkOf = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${PREFIX_BITS}`).toString();
