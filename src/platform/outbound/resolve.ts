import { Resolver } from 'node:dns/promises';
import { lookup } from 'node:dns/promises';

/** All addresses of a name; none if it has none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Straight from the name servers: no search domains, no hosts file. `lookup` would also hold one of Node's four threads,
 * which the disk needs too, for as long as somebody's slow name server likes.
 */
export const resolveInternetName: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.throwIfAborted();
    // One family that fails is not used; it is no reason to give up the other.
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As the machine does: what the operator lists may stand in a hosts file or a container network. */
export const resolveLocalName: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true, verbatim: true })).map((found) => found.address);
  } catch {
    return [];
  }
};
