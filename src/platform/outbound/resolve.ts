import { Resolver } from 'node:dns/promises';
import { lookup } from 'node:dns/promises';

/** All addresses of a name; none if it has none. Rejects if that cannot be determined. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The name does not exist, or has no address. Other errors are those of name servers and of the network. */
const hasNoAddress = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Asks the name servers directly: no search domains, no hosts file. `lookup` would also block one of Node's four I/O
 * threads for as long as a slow name server takes.
 */
export const resolveInternetName: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.throwIfAborted();
    // An address family that fails is skipped, if the other one has addresses.
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected' && !hasNoAddress(answer.reason));
    if (found.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Uses the resolver of the system: hosts that the operator allows may be in a hosts file or a container network. */
export const resolveLocalName: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true, verbatim: true })).map((found) => found.address);
  } catch (error) {
    if (hasNoAddress(error)) return [];
    throw error;
  }
};
