/**
 * Reads PDF as the compiler writes it: a classic cross-reference table and no object streams. A general reader would
 * parse every object into memory: several hundred thousand for a long book.
 */
export interface PdfObject {
  readonly id: number;
  /** From `id 0 obj` to `endobj`. */
  readonly bytes: Buffer;
}

export interface PdfFile {
  /** One more than the highest id. */
  readonly size: number;
  readonly root: number;
  readonly info: number | undefined;
  readonly objects: readonly PdfObject[];
}

const MAX_TRAILER = 1024;

export function readPdf(pdf: Uint8Array): PdfFile {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const trailer = bytes.toString('latin1', Math.max(0, bytes.length - MAX_TRAILER));
  const table = numberIn(trailer, /startxref\s+(\d+)/);
  const root = numberIn(trailer, /\/Root (\d+) 0 R/);
  const size = numberIn(trailer, /\/Size (\d+)/);
  if (table === undefined || root === undefined || size === undefined) throw new Error('not a PDF of ours');
  const offsets = [...bytes.toString('latin1', table).matchAll(/^(\d{10}) \d{5} ([nf])/gm)]
    .flatMap(([, offset, kind], id) => (kind === 'n' ? [{ id, offset: Number(offset) }] : []))
    .toSorted((a, b) => a.offset - b.offset);
  const objects = offsets.map(({ id, offset }, index) => ({
    id,
    bytes: bytes.subarray(offset, offsets[index + 1]?.offset ?? table),
  }));
  return { size, root, info: numberIn(trailer, /\/Info (\d+) 0 R/), objects };
}

export function countPages(pdf: Uint8Array): number {
  const { objects, root } = readPdf(pdf);
  const textOf = (wanted: number | undefined) =>
    objects.find(({ id }) => id === wanted)?.bytes.toString('latin1') ?? '';
  return numberIn(textOf(numberIn(textOf(root), /\/Pages (\d+) 0 R/)), /\/Count (\d+)/) ?? 0;
}

export function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Offsets applied to an object that is copied into the joined document. */
export interface Shift {
  /** Added to every object number. */
  readonly objects: number;
  /** Added to every key of the parent tree. */
  readonly parents: number;
  /** Prepended to every id of a structure element. */
  readonly ids: string;
}

/** Tokens that depend on other objects: references, keys of the parent tree, ids. Strings are skipped as a whole. */
const TOKEN = /\/[A-Za-z0-9]+|\(|<<|<|\b(\d+) 0 (?:R|obj)\b|\bstream\r?\n|\b\d+\b/g;

/** The object's text up to its stream, with every reference shifted, and the offset of its stream. */
export function shiftObject(text: string, shift: Shift): { text: string; streamAt: number } {
  let [shifted, copied, name] = ['', 0, ''];
  const replace = (from: number, to: number, by: string) => {
    shifted += text.slice(copied, from) + by;
    copied = to;
  };
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [found, id] = token;
    const at = token.index;
    if (found.startsWith('/')) name = found;
    else if (found === '(') {
      if (name === '/ID' || name === '/Headers') replace(at + 1, at + 1, shift.ids);
      TOKEN.lastIndex = endOfString(text, at);
    } else if (found === '<') TOKEN.lastIndex = text.indexOf('>', at) + 1;
    else if (id !== undefined) replace(at, at + id.length, String(Number(id) + shift.objects));
    else if (found.startsWith('stream')) return { text: shifted + text.slice(copied, at), streamAt: at };
    else if (name === '/StructParent' || name === '/StructParents') {
      replace(at, at + found.length, String(Number(found) + shift.parents));
      name = '';
    }
  }
  return { text: shifted + text.slice(copied), streamAt: text.length };
}

/** The offset after the parenthesis that closes the one at `at`. */
function endOfString(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    const char = text[end];
    if (char === '\\') end += 1;
    else if (char === '(') depth += 1;
    else if (char === ')' && --depth === 0) return end + 1;
  }
  return text.length;
}
