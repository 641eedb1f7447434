import { once } from 'node:events';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { routeInTurn } from './pipelining.ts';

let app: FastifyInstance;
let port: number;
let begun: number[];
let running = 0;
let atOnce = 0;

beforeEach(async () => {
  begun = [];
  running = atOnce = 0;
  app = fastify({ forceCloseConnections: true });
  routeInTurn(app.server);
  app.get('/:number', (request) => answer((request.params as { number: string }).number));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as net.AddressInfo).port;
});
afterEach(() => app.close());

async function answer(number: string): Promise<string | Buffer> {
  begun.push(Number(number));
  atOnce = Math.max(atOnce, ++running);
  await turn();
  running--;
  return number === '0' ? Buffer.alloc(16 * 1024 * 1024) : number;
}

const pipelined = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_each, n) => `GET /${from + n} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

test('pipelined requests are served one after the other, in their order', async () => {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(pipelined(1, 30) + 'GET /30 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  const numbers = Array.from({ length: 30 }, (_each, n) => n + 1);
  expect(begun).toEqual(numbers);
  expect(text.match(/(?<=\r\n\r\n)\d+/g)?.map(Number)).toEqual(numbers);
  expect(atOnce).toBe(1);
});

test('a client that does not read its first answer gets no second one made', async () => {
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.write(pipelined(0, 60));
  while (begun.length === 0) await turn();
  // The server has also read the bytes that arrived in the same packet.
  await fetch(`http://127.0.0.1:${port}/200`);
  expect(begun).toEqual([0, 200]);
  socket.destroy();
  await fetch(`http://127.0.0.1:${port}/201`);
  await fetch(`http://127.0.0.1:${port}/202`);
  expect(begun).toEqual([0, 200, 201, 202]);
});

test('a connection with a flood of requests is closed, and few of them are served', async () => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(pipelined(1, 2000));
  await once(socket, 'close');
  await fetch(`http://127.0.0.1:${port}/5000`);
  expect(begun.filter((number) => number < 5000).length).toBeLessThan(100);
});
