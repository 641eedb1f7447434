import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ApiError, tooLarge } from '../api/errors.ts';
import { collectYoung } from '../heap.ts';

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
        return;
      }
      takeTurn(stream, chunk.length);
      if (whole) chunk.copy(whole, length - chunk.length);
      else {
        chunks.add(chunk);
        // Not before: an announcement alone reserves nothing, and V8 counts memory that is reserved.
        if (announced === undefined || length < Math.max(COPIED_AT_ONCE, announced / 4)) return;
        whole = allocateMapped(announced);
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

/** Most bodies have fewer chunks. */
const FEW = 16;
const SMALLEST_BLOCK = 64 * 1024;
/** Beyond this length, blocks are so large that glibc maps them, and their memory is returned when they are freed (decision 56). */
const MAX_UNMAPPED = 256 * 1024;
const MAPPED_BLOCK = 1024 * 1024;

/**
 * What has arrived. Many chunks are copied into blocks: a small chunk takes hundreds of bytes of memory for each of its own,
 * and freed ones of 64 kB leave gaps that the system does not get back.
 */
class Chunks {
  readonly #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  #length = 0;

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    const areFew = this.#chunks.length < FEW && this.#length <= MAX_UNMAPPED;
    if (!this.#block && areFew) this.#chunks.push(chunk);
    else this.#copy(chunk);
  }

  take(): readonly Buffer[] {
    if (this.#block) this.#chunks.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    return this.#chunks;
  }

  #copy(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const size = this.#length > MAX_UNMAPPED ? MAPPED_BLOCK : Math.max(this.#length, SMALLEST_BLOCK);
      this.#block ??= Buffer.allocUnsafeSlow(size);
      const copied = chunk.copy(this.#block, this.#filled, at);
      this.#filled += copied;
      at += copied;
      if (this.#filled < this.#block.length) continue;
      this.#chunks.push(this.#block);
      this.#block = undefined;
      this.#filled = 0;
    }
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

/** Of all requests, in one turn of the event loop: 40 connections that send at once could take 200 ms. */
const MAX_IN_TURN = 4 * 1024 * 1024;
/** V8 collects too late what is outside of its heap: some 100 MB of chunks would wait, and leave gaps. */
const COLLECTED_AFTER = 16 * 1024 * 1024;
let inTurn = 0;
let sinceCollection = 0;
let paused: Readable[] = [];

/** Beyond the limit, a stream waits for the next turn. */
function takeTurn(stream: Readable, bytes: number): void {
  if (inTurn === 0) setImmediate(endTurn);
  inTurn += bytes;
  if (inTurn <= MAX_IN_TURN) return;
  stream.pause();
  paused.push(stream);
}

function endTurn(): void {
  const waiting = paused;
  paused = [];
  sinceCollection += inTurn;
  inTurn = 0;
  if (sinceCollection > COLLECTED_AFTER) {
    sinceCollection = 0;
    collectYoung();
  }
  for (const stream of waiting) stream.resume();
}

/** Beyond this size, glibc maps an allocation, whatever its settings are. */
const MAPPED = 33 * 1024 * 1024;

/**
 * Bytes for a large body, or more: once one of 4 to 32 MB was freed, glibc would keep the memory of those that follow. Pages
 * that are never written take no memory.
 */
const allocateMapped = (length: number): Buffer => Buffer.allocUnsafeSlow(Math.max(length, MAPPED));

/** An error after the end must not be an unhandled one. */
const ignore = (): void => undefined;

function copyInto(whole: Buffer, chunks: readonly Buffer[]): void {
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(whole, end);
}

async function join(chunks: readonly Buffer[], length: number): Promise<Buffer> {
  const whole = allocateMapped(length);
  let end = 0;
  let pauseAt = COPIED_AT_ONCE;
  for (const chunk of chunks) {
    end += chunk.copy(whole, end);
    if (end < pauseAt) continue;
    pauseAt = end + COPIED_AT_ONCE;
    await turn();
  }
  return whole.subarray(0, length);
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
