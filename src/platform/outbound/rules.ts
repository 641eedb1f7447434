import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { type Address, isPublic, isWithin, parseAddress } from './address.ts';

export const isStandardPort = (port: number): boolean => port === 80 || port === 443;

/** Allowed targets: the public internet on ports 80 and 443, and what the operator lists. */
export interface Rules {
  /** Whether an address of this host may be connected to. */
  admits(hostname: string, address: Address, port: number): boolean;
  /** Whether the operator lists this host, or this address of it. */
  lists(hostname: string, address: Address, port: number): boolean;
  /** Whether any address could be allowed on this port: checked before a name is resolved. */
  mayUsePort(port: number): boolean;
  /** Whether the operator lists this name. */
  isListed(hostname: string): boolean;
}

interface Entry {
  readonly name?: string;
  readonly network?: [Address, number];
  readonly hasPort: (port: number) => boolean;
}

/**
 * `allow`: `host`, `*.domain`, `address` or `network/bits`, each for ports 80 and 443, or with its own `:port` or `:*`.
 * `ownAddresses`: where this server itself listens, never reachable even if allowed; without a port: all of them.
 */
export function createRules(allow: readonly string[], ownAddresses: readonly string[]): Rules {
  const allowed = allow.map((text) => parseEntry(text, isStandardPort));
  const own = ownAddresses.map((text) => parseEntry(text, () => true));
  const isOwn = (hostname: string, address: Address, port: number) =>
    own.some((entry) => entry.hasPort(port) && (listens(entry, address) || matchesName(entry, hostname)));
  const lists = (hostname: string, address: Address, port: number) =>
    allowed.some(
      (entry) => entry.hasPort(port) && (matchesName(entry, hostname) || contains(entry, address)),
    );

  return {
    admits(hostname, address, port) {
      if (isOwn(hostname, address, port)) return false;
      if (isStandardPort(port) && isPublic(address)) return true;
      return lists(hostname, address, port);
    },
    lists,
    mayUsePort: (port) => isStandardPort(port) || allowed.some((entry) => entry.hasPort(port)),
    isListed: (hostname) => allowed.some((entry) => matchesName(entry, hostname)),
  };
}

function matchesName({ name }: Entry, hostname: string): boolean {
  if (name === undefined) return false;
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
}

function contains({ network }: Entry, address: Address): boolean {
  return network !== undefined && isWithin(address, network);
}

/** A server on the unspecified address listens on every address of the machine. */
function listens(entry: Entry, address: Address): boolean {
  if (contains(entry, address)) return true;
  if (entry.network?.[0].range() !== 'unspecified') return false;
  const text = address.toNormalizedString();
  return (
    address.range() === 'loopback' ||
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .some((local) => parseAddress(local.address)?.toNormalizedString() === text)
  );
}

/** Whether the operator may list this in `allow`. */
export const isAllowEntry = (text: string): boolean => findEntry(text, () => true) !== undefined;

function parseEntry(text: string, withoutPort: (port: number) => boolean): Entry {
  const entry = findEntry(text, withoutPort);
  if (entry) return entry;
  throw new Error(
    `"${text}" is not a host, an IP address or a network such as 10.0.0.0/8 (with or without :port)`,
  );
}

function findEntry(text: string, withoutPort: (port: number) => boolean): Entry | undefined {
  const { host, port } = splitPort(text.trim());
  const hasPort = portMatcher(port, withoutPort);
  const subject = hasPort && parseSubject(host);
  return subject && { ...subject, hasPort };
}

function splitPort(text: string): { host: string; port: string | undefined } {
  if (parseAddress(text.split('/')[0] ?? '')?.kind() === 'ipv6') return { host: text, port: undefined };
  const parts = /^(.+?)(?::(\d{1,5}|\*))?$/.exec(text);
  return { host: (parts?.[1] ?? '').replace(/^\[(.*)\]/, '$1'), port: parts?.[2] };
}

function portMatcher(
  port: string | undefined,
  withoutPort: (port: number) => boolean,
): ((port: number) => boolean) | undefined {
  if (port === undefined) return withoutPort;
  if (port === '*') return () => true;
  const only = Number(port);
  return only >= 1 && only <= 65_535 ? (given) => given === only : undefined;
}

/** URLs allow more characters in a host than any name has: `!!` would be one. */
const HOSTNAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

function parseSubject(host: string): Pick<Entry, 'name' | 'network'> | undefined {
  const address = parseAddress(host);
  if (address) return { network: [address, address.kind() === 'ipv4' ? 32 : 128] };
  if (host.includes('/')) return ipaddr.isValidCIDR(host) ? { network: ipaddr.parseCIDR(host) } : undefined;
  // Normalised like the host of a URL: lower case, punycode, no trailing dot.
  const [, star = '', rest = ''] = /^(\*\.)?([^*]*?)\.?$/.exec(host) ?? [];
  const url = URL.canParse(`http://${rest}/`) ? new URL(`http://${rest}/`) : undefined;
  if (
    !url ||
    url.host !== url.hostname ||
    url.pathname !== '/' ||
    url.username ||
    !HOSTNAME.test(url.hostname) ||
    parseAddress(url.hostname)
  ) {
    return undefined;
  }
  return { name: star + url.hostname };
}
