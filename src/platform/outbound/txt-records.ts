import { Resolver } from 'node:dns/promises';

/** The TXT records of a name, each as one text. None: the name has none. Rejects if that cannot be determined. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

/** `servers` are `address` or `address:port`; none: those of the system. */
export function createTxtResolver(servers: readonly string[]): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: 3000, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      const records = await resolver.resolveTxt(name);
      // A record is sent in parts of 255 bytes.
      return records.map((parts) => parts.join(''));
    } catch (error) {
      if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
}
