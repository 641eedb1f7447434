import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody, isSmallBody } from './body-bytes.ts';

const POLL_MS = 10;
const MAX_POLLS = 300;
const MAX_DRAINED = 1024 * 1024;

/**
 * An answer that is sent while the request body is still arriving closes the connection. Most small bodies arrive with
 * their headers: they get one turn of the event loop, so that a refused client keeps its connection.
 */
export function closeUnread({ raw, headers }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const close = () => {
    if (!raw.complete) closeAfter(raw.socket, reply);
    done();
  };
  if (raw.complete || !hasBody(headers)) done();
  else if (isSmallBody(headers)) setImmediate(close);
  else close();
}

function closeAfter(socket: Socket, reply: FastifyReply): void {
  void reply.header('connection', 'close');
  // Node destroys a socket once the answer is written. Unread data would make the system reset the connection, and the
  // client might lose the answer.
  if (socket instanceof Socket) socket.destroySoon = () => linger(socket);
}

/** Half-closes the connection and discards 1 MB of what still arrives. The client has 3 s to read the answer. */
function linger(socket: Socket): void {
  const before = socket.bytesRead;
  let polls = 0;
  socket.end();
  const timer = setInterval(() => {
    if (socket.bytesRead - before > MAX_DRAINED) socket.pause();
    if (++polls > MAX_POLLS) socket.destroy();
  }, POLL_MS);
  socket.once('close', () => clearInterval(timer));
}
