import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 30_000;
/** Overall limit: a minute, plus the length of the answer at this rate. */
const LEAST_BYTES_PER_SECOND = 32 * 1024;
const GRACE_MS = 60_000;
/** Smaller answers fit into the socket buffers of the system. */
export const LARGE_ANSWER = 64 * 1024;

/** Disconnects a client that reads nothing. Any progress restarts the time; Node resets it when the answer is written. */
export function cutStalled(socket: Socket | null): boolean {
  // Injected requests (tests) have no socket.
  if (!(socket instanceof Socket)) return false;
  socket.setTimeout(STALLED_MS);
  return true;
}

/** Disconnects a client that does not read its answer, or too slowly. */
export function cutSlowReader(reply: FastifyReply, payload: unknown): void {
  const { socket } = reply.raw;
  if (!cutStalled(socket)) return;
  const length = lengthOf(reply, payload);
  if (length <= LARGE_ANSWER) return;
  const timer = setTimeout(() => socket?.destroy(), GRACE_MS + (length / LEAST_BYTES_PER_SECOND) * 1000);
  timer.unref();
  reply.raw.once('close', () => clearTimeout(timer));
}

function lengthOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
