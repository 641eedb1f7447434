/** Writes the objects of a PDF in sequence and records their offsets for the cross-reference table. */
export class Writer {
  readonly #chunks: Buffer[] = [];
  readonly #offsets: number[] = [];
  #length = 0;
  #last: number;

  constructor(last: number) {
    this.#last = last;
    this.#add(Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n\n', 'latin1'));
  }

  /** Allocates an unused object number. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  object(id: number, body: string): void {
    this.write(id, `${id} 0 obj\n${body}\nendobj\n\n`, Buffer.alloc(0));
  }

  write(id: number, text: string, rest: Buffer): void {
    this.#offsets[id] = this.#length;
    this.#add(Buffer.from(text, 'latin1'));
    this.#add(rest);
  }

  finish(root: number, info: number | undefined): Buffer {
    const rows = Array.from({ length: this.#last }, (_, index) => {
      const offset = this.#offsets[index + 1];
      return offset === undefined ? FREE : `${String(offset).padStart(10, '0')} 00000 n\r\n`;
    });
    const startOfTable = this.#length;
    const size = this.#last + 1;
    this.#add(
      Buffer.from(
        `xref\n0 ${size}\n${FREE}${rows.join('')}trailer\n<< /Size ${size} /Root ${root} 0 R` +
          `${info === undefined ? '' : ` /Info ${info} 0 R`} >>\nstartxref\n${startOfTable}\n%%EOF\n`,
        'latin1',
      ),
    );
    return Buffer.concat(this.#chunks, this.#length);
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

const FREE = '0000000000 65535 f\r\n';

/** A PDF text string in UTF-16. */
export const textString = (text: string): string =>
  `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
