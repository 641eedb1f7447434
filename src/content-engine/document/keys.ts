/** Keys of nodes: a hash of their source, and a number where the same source occurs again. */

const LF = 10;
const CR = 13;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-';
const SIX_BITS = Uint16Array.from(ALPHABET, (char) => char.charCodeAt(0));

/** Two 32-bit halves. A cryptographic hash would cost more than parsing does. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

const finish = (one: number, two: number): Hash => ({
  high: Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909),
  low: Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909),
});

/** Line ends do not change the hash. */
export function hashRange(text: string, from: number, to: number, seed: number): Hash {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let at = from; at < to; at++) {
    let code = text.charCodeAt(at);
    if (code === CR) {
      if (text.charCodeAt(at + 1) === LF) continue;
      code = LF;
    }
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  return finish(one, two);
}

export const combine = (own: Hash, inner: Hash): Hash =>
  finish(
    Math.imul(own.high ^ inner.high, 2654435761) ^ inner.low,
    Math.imul(own.low ^ inner.low, 1597334677) ^ inner.high,
  );

const letter = (bits: number): number => SIX_BITS[bits & 63] ?? 48;

function nameOf({ high, low }: Hash): string {
  return String.fromCharCode(
    letter(high),
    letter(high >>> 6),
    letter(high >>> 12),
    letter(high >>> 18),
    letter(high >>> 24),
    letter(low),
    letter(low >>> 6),
    letter(low >>> 12),
    letter(low >>> 18),
    letter(low >>> 24),
  );
}

/** Makes unique keys: the first occurrence has the bare hash, later ones are numbered. */
export class KeyMaker {
  readonly #seen = new Map<string, number>();

  next(hash: Hash): string {
    const name = nameOf(hash);
    const before = this.#seen.get(name);
    this.#seen.set(name, (before ?? 0) + 1);
    return before === undefined ? name : `${name}.${before}`;
  }
}
