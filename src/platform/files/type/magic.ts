/** Magic number of a file format, at an offset; a dot matches any byte. */
interface Signature {
  readonly type: string;
  readonly bytes: string;
  readonly at?: number;
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'RIFF....WEBPVP8' },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'audio/wav', bytes: 'RIFF....WAVE' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/ogg', bytes: 'OggS\0' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { type: 'application/x-7z-compressed', bytes: "7z\xbc\xaf'\x1c" },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/x-tar', bytes: 'ustar', at: 257 },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/otf', bytes: 'OTTO' },
  { type: 'font/ttf', bytes: '\0\x01\0\0\0' },
];

/** Major brands of the `ftyp` box, by prefix. */
const BRANDS: readonly (readonly [brand: string, type: string])[] = [
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['hei', 'image/heic'],
  ['hev', 'image/heic'],
  ['qt  ', 'video/quicktime'],
  ['M4A', 'audio/mp4'],
  ['M4B', 'audio/mp4'],
];
/** Generic major brands: the compatible brands decide. */
const CONTAINERS = /^(mif1|msf1|miaf)/;
const VIDEO = /^(isom|iso\d|mp4\d|avc1|M4V|dash|mmp4|MSNV|3gp|3g2|f4v|cmf)/;

/** The media type of a binary format by its magic number; undefined for text and unknown formats. */
export function typeByMagic(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512)).toString(
    'latin1',
  );
  const found = SIGNATURES.find(({ bytes: wanted, at = 0 }) => matches(head, wanted, at));
  return found?.type ?? typeByBrand(head) ?? typeOfMatroska(head) ?? typeByFields(bytes);
}

function matches(head: string, wanted: string, at: number): boolean {
  if (head.length < at + wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] !== '.' && wanted[i] !== head[at + i]) return false;
  }
  return true;
}

function typeByBrand(head: string): string | undefined {
  if (head.slice(4, 8) !== 'ftyp') return undefined;
  const end = Math.min(head.charCodeAt(2) * 256 + head.charCodeAt(3), head.length);
  const major = head.slice(8, 12);
  const brands = CONTAINERS.test(major) ? (head.slice(16, end).match(/.{4}/gs) ?? []) : [major];
  for (const brand of brands) {
    const found = BRANDS.find(([start]) => brand.startsWith(start));
    if (found) return found[1];
  }
  return VIDEO.test(major) ? 'video/mp4' : undefined;
}

function typeOfMatroska(head: string): string | undefined {
  if (!head.startsWith('\x1a\x45\xdf\xa3')) return undefined;
  const kind = /\x42\x82[\x80-\xff](webm|matroska)/.exec(head.slice(0, 128))?.[1];
  return kind && (kind === 'webm' ? 'video/webm' : 'video/x-matroska');
}

/** Formats with a short magic number: the fields that follow must be plausible too. */
function typeByFields(bytes: Uint8Array): string | undefined {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, count = 0, countHigh = 0] = bytes;
  const isMp3 =
    b0 === 0xff && (b1 & 0xe6) === 0xe2 && (b1 & 0x18) !== 0x08 && b2 >> 4 !== 0xf && (b2 & 0x0c) !== 0x0c;
  if (isMp3 && b2 >> 4 !== 0) return 'audio/mpeg';
  if (b0 === 0 && b1 === 0 && b2 === 1 && b3 === 0 && count > 0 && countHigh === 0) {
    return bytes.length >= 6 + 16 * count && bytes[9] === 0 ? 'image/x-icon' : undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isBmp = b0 === 0x42 && b1 === 0x4d && bytes.length >= 26 && view.getUint32(6) === 0;
  return isBmp && [12, 40, 52, 56, 64, 108, 124].includes(view.getUint32(14, true)) ? 'image/bmp' : undefined;
}
