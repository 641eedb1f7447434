const HEAD_BYTES = 64 * 1024;

/** Tab, line ends, form feed and escape: the control characters that text may contain. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

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
    return isBinary(head) ? undefined : { head, isUnicode: true };
  }
  const latin = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1');
  if (isBinary(latin)) return undefined;
  try {
    // `stream`: the limit may cut through a character.
    const head = new TextDecoder('utf-8', { fatal: true }).decode(start, {
      stream: bytes.length > start.length,
    });
    return { head, isUnicode: true };
  } catch {
    return { head: latin, isUnicode: false };
  }
}

function isBinary(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && !TEXT_CONTROLS.has(code)) return true;
  }
  return false;
}
