import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- payloads are untyped in tests
  readonly message: any;
}

type Respond = (received: Received, response: ServerResponse) => void | Promise<void>;

export interface Receiver {
  /** The `host:port` to allow. */
  readonly host: string;
  readonly url: string;
  readonly received: Received[];
  /** The ids of the messages that were answered with success, in their order. */
  readonly accepted: string[];
  /** How to answer from now on. Default: 204. */
  respond(how: Respond | number): void;
  readonly openRequests: () => number;
  close(): void;
}

/** A real receiver of webhooks, on loopback. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const accepted: string[] = [];
  let open = 0;
  let how: Respond = (_received, response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open += 1;
    response.on('close', () => (open -= 1));
    response.on('finish', () => {
      if (response.statusCode < 300) accepted.push(String(request.headers['webhook-id']));
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = { headers: request.headers, text, message: JSON.parse(text) };
      received.push(one);
      void how(one, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hook`,
    received,
    accepted,
    respond(given) {
      how =
        typeof given === 'function' ? given : (_received, response) => void response.writeHead(given).end();
    },
    openRequests: () => open,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Throws unless the signature is that of the secret: the verification of Standard Webhooks. */
export const verify = (secret: string, { headers, text }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
