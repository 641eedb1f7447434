import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ApiError, tooLarge } from '../api/errors.ts';

/** Copying 60 MB at once takes some 200 ms, most of it for page faults of new memory. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

/** All bytes of a stream: at most `limit`. */
export function receive(stream: Readable, limit: number, refusal: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        stream.off('data', onData);
        reject(refusal());
      }
    };
    stream.on('data', onData);
    stream.once('end', () =>
      resolve(length <= COPIED_AT_ONCE ? Buffer.concat(chunks, length) : join(chunks, length)),
    );
    stream.once('error', reject);
  });
}

async function join(chunks: readonly Buffer[], length: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(length);
  let end = 0;
  let pauseAt = COPIED_AT_ONCE;
  for (const chunk of chunks) {
    end += chunk.copy(whole, end);
    if (end < pauseAt) continue;
    pauseAt = end + COPIED_AT_ONCE;
    await turn();
  }
  return whole;
}

/** The body of a request as it was sent. */
export async function receiveBody(
  { headers, routeOptions }: FastifyRequest,
  stream: Readable,
): Promise<Buffer> {
  const limit = routeOptions.bodyLimit;
  const refusal = () => tooLarge('The body exceeds the limit of this operation.');
  if (Number(headers['content-length']) > limit) throw refusal();
  return receive(stream, limit, refusal).catch((error: Error) => {
    // A status, so that a client that disconnected is not taken for a database that did.
    throw error instanceof ApiError ? error : Object.assign(error, { statusCode: 400 });
  });
}
