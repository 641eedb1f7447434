import type { FastifyReply } from 'fastify';
import { tooManyHeld, unavailable } from '../../api/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Told of the bytes of a large body as they arrive; throws to refuse them. Unset for a small one. */
    holdBytes: ((bytes: number) => void) | undefined;
  }
}

/** Bytes that requests keep in memory: bodies that arrive, or answers that are sent. */
export interface HeldBytes {
  /**
   * Counts the bytes of one request: added ones count until it is answered or its connection closes. Throws 429 at the limit of the
   * caller, and 503 at that of all callers.
   */
  of(caller: string, reply: FastifyReply): (bytes: number) => void;
}

const MAX_PER_CALLER = 128 * 1024 * 1024;
const MAX_IN_TOTAL = 256 * 1024 * 1024;

/** `what`, in messages: large responses, large bodies. */
export function createHeldBytes(what: string): HeldBytes {
  const held = new Map<string, number>();
  let total = 0;
  const add = (caller: string, bytes: number) => {
    total += bytes;
    const now = (held.get(caller) ?? 0) + bytes;
    if (now === 0) held.delete(caller);
    else held.set(caller, now);
  };
  return {
    of(caller, reply) {
      let own = 0;
      reply.raw.once('close', () => {
        add(caller, -own);
        own = 0;
      });
      return (bytes) => {
        if ((held.get(caller) ?? 0) + bytes > MAX_PER_CALLER) throw tooManyHeld(what);
        if (total + bytes > MAX_IN_TOTAL)
          throw unavailable(`The server is handling too many ${what}. Retry in a moment.`);
        own += bytes;
        add(caller, bytes);
      };
    },
  };
}
