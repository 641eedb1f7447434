/** Takes a few milliseconds. A multiple of four characters, which are three bytes. */
const PIECE = 1024 * 1024;

/**
 * Decodes base64, with or without padding and white space. Undefined if it is not valid: Node skips other characters, so that
 * the bytes would differ from the intended ones. Yields after each piece.
 */
export function* decodeBase64(text: string): Generator<void, Buffer | undefined, void> {
  const pieces: Buffer[] = [];
  /** What does not fill four characters yet. */
  let rest = '';
  for (let at = 0; at < text.length; at += PIECE) {
    const given = rest + text.slice(at, at + PIECE).replaceAll(/\s/g, '');
    const whole = given.length - (given.length % 4);
    rest = given.slice(whole);
    const bytes = decodeExactly(given.slice(0, whole));
    // Padding is at the end only.
    if (!bytes || (bytes.length > 0 && (pieces.at(-1)?.length ?? 0) % 3 !== 0)) return undefined;
    if (bytes.length > 0) pieces.push(bytes);
    yield;
  }
  if (rest === '') return Buffer.concat(pieces);
  const last = decodeExactly(rest.padEnd(4, '='));
  return last && (pieces.at(-1)?.length ?? 0) % 3 === 0 ? Buffer.concat([...pieces, last]) : undefined;
}

function decodeExactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
