import { crc32 } from 'node:zlib';

export interface StoredEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x800;
/** 1980-01-01, the earliest date that the format can express. */
const DATE = 0x21;

/** A ZIP without compression. For fewer than 65,536 entries and 4 GB, which the format without extensions can hold. */
export function writeStoredZip(entries: readonly StoredEntry[]): Buffer {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encoded = Buffer.from(name);
    const common = describe(encoded, bytes);
    const local = Buffer.concat([uint32(LOCAL_HEADER), common, encoded]);
    // Comment length, disk, internal and external attributes, and the offset of the local header.
    const central = [
      uint32(CENTRAL_HEADER),
      uint16(VERSION),
      common,
      Buffer.alloc(10),
      uint32(offset),
      encoded,
    ];
    directory.push(...central);
    parts.push(local, bytes);
    offset += local.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [uint32(END), Buffer.alloc(4), count, count, uint32(listed.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, listed, ...end]);
}

/** The members that both headers of an entry have in common. */
const describe = (name: Uint8Array, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    uint16(VERSION),
    uint16(UTF8_NAMES),
    uint16(0),
    uint16(0),
    uint16(DATE),
    uint32(crc32(bytes)),
    uint32(bytes.length),
    uint32(bytes.length),
    uint16(name.length),
    uint16(0),
  ]);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
