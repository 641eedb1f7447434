import { hashOf, type Hash, type Load } from '../map/index.ts';
import { fromBlob, inline, isOutOfLine, type Inline } from '../tree/index.ts';

/** The texts that a merge loaded and created. */
export class TextStore {
  readonly created = new Map<Hash, string>();
  readonly #read = new Map<Hash, string>();

  /** Loads the missing ones in one round trip. */
  async load(load: Load, hashes: Iterable<Hash>): Promise<void> {
    const wanted = [...new Set(hashes)].filter((hash) => !this.#read.has(hash) && !this.created.has(hash));
    const found = wanted.length === 0 ? [] : await load(wanted);
    for (const [index, hash] of wanted.entries()) {
      const bytes = found[index];
      if (bytes === undefined) throw new Error(`The text ${hash} is not in the store`);
      this.#read.set(hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    }
  }

  /** A text that is loaded or created. */
  get(hash: Hash): string {
    const text = this.#read.get(hash) ?? this.created.get(hash);
    if (text === undefined) throw new Error(`The text ${hash} was not loaded`);
    return text;
  }

  value<T extends object | string>(value: Inline<T>): T {
    return isOutOfLine(value) ? fromBlob<T>(this.get(value.hash)) : (value as T);
  }

  add(text: string): Hash {
    const hash = hashOf(text);
    if (!this.#read.has(hash)) this.created.set(hash, text);
    return hash;
  }

  /** The form in which a record stores a value. */
  inline<T extends object | string>(value: T): Inline<T> {
    const inlined = inline(value);
    if (inlined.blob !== undefined) this.add(inlined.blob);
    return inlined.value;
  }
}

export const outOfLineHash = (value: unknown): Hash[] =>
  typeof value === 'object' && value !== null && isOutOfLine(value) ? [value.hash] : [];
