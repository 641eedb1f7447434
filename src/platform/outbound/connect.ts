import { once } from 'node:events';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import { isSameAddress, parseAddress } from './address.ts';
import { notPublic, OutboundError, unreachable, untrusted } from './outbound-error.ts';
import type { Target } from './target.ts';

/** Opens a connection to an IP address (never a name). */
export type Dial = (address: string, port: number) => Socket;

export interface Wire {
  readonly dial: Dial;
  /** Certificates to trust instead of the system's. */
  readonly ca: string | undefined;
}

export const dialTcp: Dial = (address, port) => {
  if (isIP(address) === 0) throw new TypeError('only a checked address may be dialled');
  return openSocket({ host: address, port, noDelay: true });
};

/** Timeout per address while others are left: many hosts have IPv6 records, many networks no IPv6. */
const ATTEMPT_MS = 2000;
const MAX_ATTEMPTS = 6;

/** Error codes of OpenSSL and Node for certificates; other handshake errors are connection errors. */
const CERTIFICATE_FAULT = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|HOSTNAME_MISMATCH|INVALID_CA|CRL/;

/** Connects to one of the checked addresses, and to nothing else, with the requested server name. */
export async function connectTo(
  target: Target,
  wire: Wire,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const socket = await reachAny(target, wire.dial, signal);
  if (target.url.protocol === 'http:') return socket;
  const secured = openTls({
    socket,
    host: target.hostname,
    ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}),
    ...(wire.ca === undefined ? {} : { ca: wire.ca }),
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await once(secured, 'secureConnect', { signal });
    return secured;
  } catch (error) {
    secured.destroy();
    socket.destroy();
    signal.throwIfAborted();
    const isUntrusted = CERTIFICATE_FAULT.test((error as NodeJS.ErrnoException).code ?? '');
    throw isUntrusted ? untrusted(target.hostname, error) : unreachable(target.hostname, error);
  }
}

async function reachAny(target: Target, dial: Dial, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  const addresses = target.addresses.slice(0, MAX_ATTEMPTS);
  for (const address of addresses) {
    const isLast = address === addresses.at(-1);
    const patience = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    try {
      return await reach(target, address, dial, patience);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OutboundError) throw error;
      failure = error;
    }
  }
  throw unreachable(target.hostname, failure);
}

async function reach(target: Target, address: string, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const socket = dial(address, target.port);
  try {
    if (socket.connecting) await once(socket, 'connect', { signal });
    const [wanted, remote] = [parseAddress(address), parseAddress(socket.remoteAddress ?? '')];
    // Checked before a byte is sent, however the connection was made.
    if (!wanted || !remote || !isSameAddress(wanted, remote)) throw notPublic(target.hostname);
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
}
