import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ApiError, tooLarge } from '../api/errors.ts';

/** From this size on, bytes are copied as they arrive: a copy of 60 MB at once takes 200 ms, and a second 60 MB of memory. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

interface Limits {
  /** In bytes. */
  readonly limit: number;
  readonly refusal: () => Error;
  /** How many will arrive, where that is known. */
  readonly announced?: number | undefined;
  /** Told of all bytes as they arrive. It throws to refuse them. */
  readonly hold?: ((bytes: number) => void) | undefined;
}

/** All bytes of a stream. */
export function receive(stream: Readable, { limit, refusal, announced, hold }: Limits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks = new Chunks();
    let length = 0;
    let whole: Buffer | undefined;
    // Listeners live as long as the request: they must not keep the bytes, nor the promise of them.
    const end = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).on('error', ignore);
      chunks = new Chunks();
      whole = undefined;
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      const refused = length > limit ? refusal() : refusalOf(hold, chunk.length);
      if (refused) {
        end();
        reject(refused);
      } else if (whole) chunk.copy(whole, length - chunk.length);
      else {
        chunks.add(chunk);
        // Not before: an announcement alone reserves nothing.
        if (announced === undefined || length < COPIED_AT_ONCE) return;
        whole = Buffer.allocUnsafeSlow(announced);
        copyInto(whole, chunks.take());
        chunks = new Chunks();
      }
    };
    const onEnd = (): void => {
      if (whole) resolve(whole.subarray(0, length));
      else if (length <= COPIED_AT_ONCE) resolve(Buffer.concat(chunks.take(), length));
      else resolve(join(chunks.take(), length));
      end();
    };
    const onError = (error: Error): void => {
      end();
      reject(error);
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** Chunks that may be small before they are copied: most bodies have one. */
const FEW = 16;
const SMALL = 4096;
const BLOCK = 64 * 1024;

/** What has arrived. Many small chunks are copied into blocks: as a Buffer, a byte takes hundreds of bytes of memory. */
class Chunks {
  readonly #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;

  add(chunk: Buffer): void {
    const isSmall = chunk.length < SMALL && this.#chunks.length >= FEW;
    if (!isSmall || this.#filled + chunk.length > BLOCK) this.#endBlock();
    if (!isSmall) this.#chunks.push(chunk);
    else this.#filled += chunk.copy((this.#block ??= Buffer.allocUnsafeSlow(BLOCK)), this.#filled);
  }

  take(): readonly Buffer[] {
    this.#endBlock();
    return this.#chunks;
  }

  #endBlock(): void {
    const filled = this.#block?.subarray(0, this.#filled);
    // A block that a large chunk ended early is not kept for a few bytes.
    if (filled) this.#chunks.push(filled.length < BLOCK / 2 ? Buffer.from(filled) : filled);
    this.#block = undefined;
    this.#filled = 0;
  }
}

function refusalOf(hold: Limits['hold'], bytes: number): Error | undefined {
  try {
    hold?.(bytes);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** An error after the end must not be an unhandled one. */
const ignore = (): void => undefined;

function copyInto(whole: Buffer, chunks: readonly Buffer[]): void {
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(whole, end);
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
  { headers, routeOptions, holdBytes: hold }: FastifyRequest,
  stream: Readable,
): Promise<Buffer> {
  const limit = routeOptions.bodyLimit;
  const refusal = () => tooLarge('The body exceeds the limit of this operation.');
  const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (announced !== undefined && announced > limit) throw refusal();
  return receive(stream, { limit, refusal, announced, hold }).catch((error: Error) => {
    // A status, so that a client that disconnected is not taken for a database that did.
    throw error instanceof ApiError ? error : Object.assign(error, { statusCode: 400 });
  });
}
