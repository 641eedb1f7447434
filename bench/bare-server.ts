/** The baseline of Node alone: responds with the same bytes as the real response, and nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Imitated } from './spawn-bare-server.ts';

let status = 200;
let body = Buffer.alloc(0);
let headers: Record<string, string | number> = {};

const server = createServer((request, response) => {
  // The body is read before the response is sent, as in every server.
  request.on('end', () => response.writeHead(status, headers).end(body)).resume();
});

process.on('message', (answer: Imitated) => {
  ({ status } = answer);
  body = Buffer.from(answer.body, 'base64');
  headers = answer.contentType
    ? { 'content-type': answer.contentType, 'content-length': body.length }
    : { 'content-length': body.length };
  process.send?.('ready');
});
// Exits with its parent process, however that ended.
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
