/** Thrown for bytes that no charset turns into text. The message continues a sentence: "The page is not text." */
export class NotText extends Error {
  constructor() {
    super('is not text.');
    this.name = 'NotText';
  }
}

/** Browsers look for the charset in as many bytes. */
const HEAD = 1024;

/** Legacy encodings of more than one byte: bytes that decode as one of them are hardly ever something else. */
const MULTI_BYTE = /^(?:gb|big5|euc-|shift_jis|iso-2022-jp)/;

/**
 * The text of a page. Candidates in order: the byte order mark, `Content-Type`, `<meta>`, UTF-8, windows-1252; the first
 * that decodes without an error is taken. A label that names a single-byte encoding or UTF-16 is not believed where the
 * bytes are UTF-8 with characters beyond ASCII, because servers add such labels to all their pages.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return decode(bytes, marked, false) ?? '';
  const head = latin1(bytes.subarray(0, HEAD));
  const nuls = head.split('\0').length - 1;
  const labels = [charsetIn(contentType), withoutUtf16(charsetIn(metaOf(head)))].flatMap((label) => {
    const known = label === undefined ? undefined : encodingOf(label);
    return known === undefined ? [] : [known];
  });
  const named = labels[0];
  const isUtf16 = named?.startsWith('utf-16') === true;
  if (nuls > head.length / 100 && !isUtf16) throw new NotText();
  if (named === undefined || named === 'utf-8' || !MULTI_BYTE.test(named)) {
    const text = isUtf16 && nuls > 0 ? undefined : decode(bytes, 'utf-8', true);
    if (
      text !== undefined &&
      (named === undefined || named === 'utf-8' || isUtf16 || text.length < bytes.length)
    )
      return text;
  }
  // Any bytes are text of a single-byte encoding. No text of such an encoding has NULs, and binary data of some length has.
  if (!isUtf16 && bytes.includes(0)) throw new NotText();
  for (const label of labels) {
    const text = decode(bytes, label, true);
    if (text !== undefined) return text;
  }
  return decode(bytes, 'utf-8', true) ?? decode(bytes, 'windows-1252', false) ?? '';
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** One character for each byte. */
const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

const charsetIn = (text: string): string | undefined =>
  /charset\s*=[\s"']*([^\s"';,>/]+)/i.exec(text)?.[1]?.toLowerCase();

/** The tags of the head that may name a charset. */
const metaOf = (head: string): string =>
  (head.match(/<meta\s[^>]*>|<\?xml\s[^>]*>/gi) ?? [])
    .map((tag) => tag.replace(/\bencoding\s*=/i, 'charset='))
    .find((tag) => /charset\s*=/i.test(tag)) ?? '';

/** A tag that could be read byte by byte is not in UTF-16. */
const withoutUtf16 = (label: string | undefined): string | undefined =>
  label?.startsWith('utf-16') === true ? 'utf-8' : label;

/** The standard name of an encoding; undefined: unknown. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Undefined: the bytes are not in this encoding. */
function decode(bytes: Uint8Array, label: string, fatal: boolean): string | undefined {
  try {
    const text = new TextDecoder(label, { fatal }).decode(bytes);
    return encodingOf(label) === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, windowsCharacter) : text;
  } catch {
    return undefined;
  }
}

/** Some versions of Node decode windows-1252 as Latin-1, which has control characters in place of these. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const windowsCharacter = (char: string): string => WINDOWS.charAt(char.charCodeAt(0) - 0x80);
