import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody, isSmallBody } from './early-admission.ts';

const LOOK_EVERY_MS = 100;
const MAX_LOOKS = 30;
const MAX_DRAINED = 1024 * 1024;

/**
 * An answer that is sent while its body is still arriving ends the connection. Most small bodies come with their headers:
 * they are given a turn to be complete, so that a refused client keeps its connection.
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
  // Node destroys a socket once the answer is written. What the client sent by then, and nobody read, would make the
  // system reset the connection, and the client might lose the answer.
  if (socket instanceof Socket) socket.destroySoon = () => linger(socket);
}

/** Ends our side, and drops what still arrives until the client ends its own: for 3 s and 1 MB at most. */
function linger(socket: Socket): void {
  const before = socket.bytesRead;
  let looks = 0;
  socket.end();
  const timer = setInterval(() => {
    if (++looks > MAX_LOOKS || socket.bytesRead - before > MAX_DRAINED) socket.destroy();
  }, LOOK_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}
