import { requireSendableLength } from '../../../platform/api/answer-size.ts';

/** Characters that are encoded at once. */
const PIECE = 256 * 1024;

/** Collects a JSON text as bytes. Throws 413 when it exceeds the limit of answers, before the rest is made. */
export class JsonWriter {
  readonly #pieces: Buffer[] = [];
  #text = '';
  #length = 0;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#encode();
  }

  end(): Buffer {
    this.#encode();
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
  }

  #encode(): void {
    const piece = Buffer.from(this.#text);
    this.#text = '';
    this.#length += piece.length;
    requireSendableLength(this.#length);
    this.#pieces.push(piece);
  }
}
