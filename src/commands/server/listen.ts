import { lookup } from 'node:dns/promises';
import { StartError } from '../../platform/embedded-postgres/index.ts';

interface Listening {
  listen(at: { readonly host: string; readonly port: number }): Promise<unknown>;
}

/** `variable` sets the port. */
export async function listenAt(
  server: Listening,
  host: string,
  port: number,
  variable: string,
): Promise<void> {
  try {
    await server.listen({ host: await addressOf(host), port });
  } catch (error) {
    throw explained(error, host, port, variable);
  }
}

/**
 * Resolves the name: for one with two addresses, Fastify would open a second server, which reads connections without our
 * rules.
 */
const addressOf = async (host: string): Promise<string> =>
  host === 'localhost' ? (await lookup(host)).address : host;

function explained(error: unknown, host: string, port: number, variable: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port with ${variable}.`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} on ${host} requires more privileges. Choose a port above 1023 with ${variable}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is not an address of this machine. Choose another address with HOST.`);
    default:
      return error;
  }
}
