import net from 'node:net';
import type { TestApp } from './app.ts';

/** Raw bytes over a real connection, for requests that HTTP clients do not send and `inject` does not check. */
export interface Wire {
  /** The response to these bytes, until the server closes the connection. */
  send(bytes: string | Buffer): Promise<RawAnswer>;
  /** The first response to these bytes, for a request that may never end. */
  begin(bytes: string | Buffer): Promise<RawAnswer>;
  readonly port: number;
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** The error in its body. */
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

export async function listening(app: TestApp): Promise<Wire> {
  const { server } = app.app;
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as net.AddressInfo;
  return { send: (bytes) => exchange(port, bytes), begin: (bytes) => firstAnswer(port, bytes), port };
}

function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(rawAnswer(Buffer.concat(chunks).toString('utf8'))));
    socket.on('error', reject);
  });
}

function firstAnswer(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    const settle = () => {
      socket.destroy();
      resolve(rawAnswer(text));
    };
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (Buffer.byteLength(text.slice(text.indexOf('\r\n\r\n') + 4)) >= length) settle();
    });
    socket.on('end', settle);
    socket.on('error', reject);
  });
}

function rawAnswer(text: string): RawAnswer {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return {
    status: Number(text.split(' ')[1]),
    text,
    error: body.startsWith('{"error":') ? JSON.parse(body).error : undefined,
  };
}

/** One request that closes its connection. */
export const requestText = (lines: readonly string[], body = ''): string =>
  `${[...lines, 'Host: octavo.test', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
