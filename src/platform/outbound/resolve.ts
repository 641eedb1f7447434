import { Resolver } from 'node:dns/promises';
import { lookup } from 'node:dns/promises';

/** All addresses of a name; none if it has none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

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
    // An address family that fails is skipped.
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** With the resolver of the system: hosts that the operator allows may be in a hosts file or a container network. */
export const resolveLocalName: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true, verbatim: true })).map((found) => found.address);
  } catch {
    return [];
  }
};
