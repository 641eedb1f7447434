import { isPublic, parseAddress } from './address.ts';
import { blocked, notPublic, portRefused, unknownHost, unreachable } from './outbound-error.ts';
import type { Resolve } from './resolve.ts';
import { isStandardPort, type Rules } from './rules.ts';

const LONGEST_URL = 8192;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Names without public DNS that a local resolver may know (RFC 6761, 6762, 7686, 8375; reserved or in wide use). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|onion)$/;

/** The target of a request, after every check but the last one, that of the connected address. */
export interface Target {
  readonly url: URL;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly addresses: readonly string[];
  /** Whether the operator lists the host, or every address of it. */
  readonly isListed: boolean;
}

export interface Guard {
  readonly rules: Rules;
  readonly resolveInternetName: Resolve;
  readonly resolveLocalName: Resolve;
}

/**
 * The one place where a URL is parsed; later checks use the result only. Credentials are refused before a URL is stored: it is shown
 * to others.
 */
export function parseUrl(text: string | URL, base?: URL): URL {
  const given = String(text);
  if (given.length > LONGEST_URL) throw blocked(`The URL is longer than ${LONGEST_URL} characters.`);
  if (!URL.canParse(given, base?.href)) {
    throw blocked('This is not a web URL. Send one that begins with https:// and contains a host.');
  }
  const url = new URL(given, base);
  if (DEFAULT_PORTS[url.protocol] === undefined) {
    throw blocked(`URLs with ${url.protocol} are not supported, only https: and http:.`);
  }
  if (url.username || url.password) {
    throw blocked('The URL contains a user name or password. Remove it.');
  }
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}

/** Resolves all addresses of the host, and refuses it if one of them is not allowed. */
export async function checkTarget(guard: Guard, url: URL, signal: AbortSignal): Promise<Target> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port ? Number(url.port) : (DEFAULT_PORTS[url.protocol] ?? 0);
  if (parseAddress(hostname)) {
    requireAdmitted(guard, hostname, [hostname], port);
    return {
      url,
      hostname,
      port,
      addresses: [hostname],
      isListed: areListed(guard, hostname, [hostname], port),
    };
  }
  requireName(guard, hostname);
  if (!guard.rules.mayUsePort(port)) throw portRefused(hostname, port);
  const addresses = await resolveAll(guard, hostname, signal);
  requireAdmitted(guard, hostname, addresses, port);
  return { url, hostname, port, addresses, isListed: areListed(guard, hostname, addresses, port) };
}

async function resolveAll(guard: Guard, hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolve = guard.rules.isListed(hostname) ? guard.resolveLocalName : guard.resolveInternetName;
  const found = await untilAborted(
    resolve(hostname, signal).catch((error: unknown) => {
      throw unreachable(hostname, error);
    }),
    signal,
  );
  if (found.length === 0) throw unknownHost(hostname);
  return found;
}

function requireName({ rules }: Guard, hostname: string): void {
  const isLocal = !hostname.includes('.') || LOCAL_NAME.test(hostname);
  if (isLocal && !rules.isListed(hostname)) throw notPublic(hostname);
  if (hostname.split('.').includes('')) throw blocked(`"${hostname}" is not a valid host name.`);
}

function requireAdmitted({ rules }: Guard, hostname: string, found: readonly string[], port: number): void {
  for (const text of found) {
    const address = parseAddress(text);
    if (!address) throw notPublic(hostname);
    if (rules.admits(hostname, address, port)) continue;
    // A message of its own, so that users of a public host learn that the port is the problem.
    throw isPublic(address)
      ? portRefused(hostname, port)
      : notPublic(hostname, isStandardPort(port) ? undefined : port);
  }
}

function areListed({ rules }: Guard, hostname: string, found: readonly string[], port: number): boolean {
  return found.every((text) => {
    const address = parseAddress(text);
    return address !== undefined && rules.lists(hostname, address, port);
  });
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
