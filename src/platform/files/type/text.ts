const HEAD_BYTES = 64 * 1024;

/** A control character other than tab, line ends, form feed and escape, which text may contain. */
// oxlint-disable-next-line no-control-regex -- they are meant
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

const newDecoder = () => new TextDecoder('utf-8', { fatal: true });
/** Decodes whole texts: creating a decoder takes longer than decoding a page. */
const wholeDecoder = newDecoder();

export interface Text {
  readonly head: string;
  readonly isUnicode: boolean;
}

/** The first 64 kB of a file as text; undefined if it is binary. */
export function decodeText(bytes: Uint8Array): Text | undefined {
  const start = bytes.subarray(0, HEAD_BYTES);
  const isLittle = start[0] === 0xff && start[1] === 0xfe;
  const isBig = start[0] === 0xfe && start[1] === 0xff;
  if (isLittle || isBig) {
    const head = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(start);
    return BINARY.test(head) ? undefined : { head, isUnicode: true };
  }
  const latin = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1');
  if (BINARY.test(latin)) return undefined;
  try {
    const isWhole = bytes.length === start.length;
    // `stream`: the limit may cut through a character.
    const head = isWhole ? wholeDecoder.decode(start) : newDecoder().decode(start, { stream: true });
    return { head, isUnicode: true };
  } catch {
    return { head: latin, isUnicode: false };
  }
}
