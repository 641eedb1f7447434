import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError, tooLarge } from '../../api/errors.ts';

/** A body of this size may be buffered for a valid token alone. */
const SMALL_BODY = 32 * 1024;

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Known to be small before it is read: a length is declared, and nothing will be decompressed. */
export const isSmallBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= SMALL_BODY;

/** The caller and the target of such a request are admitted before its body is read. */
export const isLargeBody = (headers: IncomingHttpHeaders): boolean =>
  hasBody(headers) && !isSmallBody(headers);

interface Limits {
  /** The limit in bytes. */
  readonly limit: number;
  readonly refusal: () => Error;
  /** Told of all bytes as they arrive. It throws to refuse them. */
  readonly hold?: ((bytes: number) => void) | undefined;
}

/** All bytes of a stream. What is refused is not destroyed: its connection still gets the answer. */
export function receive(stream: Readable, { limit, refusal, hold }: Limits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks = new Chunks();
    let length = 0;
    // Listeners live as long as the request: they must not keep the bytes.
    const end = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).on('error', ignore);
      chunks = new Chunks();
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (length + chunk.length > limit) throw refusal();
        hold?.(chunk.length);
      } catch (error) {
        end();
        reject(error as Error);
        return;
      }
      chunks.add(chunk);
      length += chunk.length;
    };
    const onEnd = (): void => {
      resolve(chunks.take());
      end();
    };
    const onError = (error: Error): void => {
      end();
      reject(error);
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** Smaller chunks are copied: each takes hundreds of bytes of memory for its own. */
const SMALL_CHUNK = 4 * 1024;
const BLOCK = 64 * 1024;

class Chunks {
  readonly #chunks: Buffer[] = [];
  #block = Buffer.alloc(0);
  #filled = 0;

  add(chunk: Buffer): void {
    // Most bodies are one chunk.
    if (chunk.length > SMALL_CHUNK || this.#chunks.length === 0) return this.#push(chunk);
    if (this.#filled + chunk.length > this.#block.length) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK);
    }
    this.#filled += chunk.copy(this.#block, this.#filled);
  }

  take(): Buffer {
    this.#endBlock();
    const [only, ...others] = this.#chunks;
    return only && others.length === 0 ? only : Buffer.concat(this.#chunks);
  }

  #push(chunk: Buffer): void {
    this.#endBlock();
    this.#chunks.push(chunk);
  }

  #endBlock(): void {
    if (this.#filled > 0) this.#chunks.push(this.#block.subarray(0, this.#filled));
    this.#block = this.#block.subarray(this.#filled);
    this.#filled = 0;
  }
}

/** An error after the end must not be an unhandled one. */
const ignore = (): void => undefined;

/** The body of a request as it was sent. */
export async function receiveBody(
  { headers, routeOptions, holdBytes: hold }: FastifyRequest,
  stream: Readable,
): Promise<Buffer> {
  const limit = routeOptions.bodyLimit;
  const refusal = () => tooLarge('The body exceeds the limit of this operation.');
  if (Number(headers['content-length'] ?? 0) > limit) throw refusal();
  return receive(stream, { limit, refusal, hold }).catch((error: Error) => {
    // A status, so that a client that disconnected is not taken for a database that did.
    throw error instanceof ApiError ? error : Object.assign(error, { statusCode: 400 });
  });
}
