import { requireSendableLength } from '../../../platform/api/answer-size.ts';

/** Collects a JSON text. Throws 413 when it exceeds the limit of answers, before the rest is made. */
export class JsonWriter {
  #text = '';

  add(text: string): void {
    this.#text += text;
    requireSendableLength(this.#text.length);
  }

  end(): Buffer {
    const bytes = Buffer.from(this.#text);
    requireSendableLength(bytes.length);
    return bytes;
  }
}
