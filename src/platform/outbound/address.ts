import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Only the canonical notations: dotted decimal, and IPv6 without a zone, which would name one of our interfaces. */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text);
}

export function isSameAddress(one: Address, other: Address): boolean {
  return one.kind() === other.kind() && one.toNormalizedString() === other.toNormalizedString();
}

export function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Azure's host service answers on an address out of a public range. */
const AZURE_HOST: [Address, number] = ipaddr.parseCIDR('168.63.129.16/32');
const GLOBAL_UNICAST: [Address, number] = ipaddr.parseCIDR('2000::/3');

/** Whether it is a public address, which anyone on the internet can reach anyway. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !isWithin(address, AZURE_HOST);
  // The rest of IPv6 is unassigned or translated: `::/96` embeds IPv4, and ipaddr.js calls it unicast.
  return isWithin(address, GLOBAL_UNICAST) && !isIsatap(address as ipaddr.IPv6);
}

/** An IPv4 address behind a tunnel interface, under any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}
