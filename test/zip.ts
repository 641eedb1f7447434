import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a crafted archive. Its headers say what the members say, true or not. */
export interface CraftedEntry {
  readonly name: string | Buffer;
  readonly content?: string | Uint8Array;
  readonly deflate?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly checksum?: number;
  /** Declared sizes. */
  readonly compressedSize?: number;
  readonly size?: number;
  /** Unix mode. */
  readonly mode?: number;
  /** Offset of the local header. */
  readonly offset?: number;
  readonly extra?: Buffer;
}

const UTF8_NAMES = 0x800;

/** An archive that need not be valid. `count`: the declared number of entries. */
export function craftZip(entries: readonly CraftedEntry[], { count = entries.length } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content as string) ?? '');
    const data = entry.deflate ? deflateRawSync(content) : content;
    const extra = entry.extra ?? Buffer.alloc(0);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? UTF8_NAMES, 2);
    common.writeUInt16LE(entry.method ?? (entry.deflate ? 8 : 0), 4);
    common.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    common.writeUInt32LE(entry.compressedSize ?? data.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    common.writeUInt16LE(extra.length, 24);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    attributes.writeUInt32LE(entry.offset ?? position, 10);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, name, extra, data];
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, attributes, name, extra);
    parts.push(...local);
    position += local.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** The same with the end records of ZIP64, which can declare any number of entries. */
export function craftZip64(entries: readonly CraftedEntry[], count = BigInt(entries.length)): Buffer {
  const plain = craftZip(entries);
  const end = plain.subarray(-22);
  const directoryOffset = end.readUInt32LE(16);
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(count, 24);
  record.writeBigUInt64LE(count, 32);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(directoryOffset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(plain.length - 22), 8);
  locator.writeUInt32LE(1, 16);
  const last = Buffer.from(end);
  last.fill(0xff, 8, 20);
  return Buffer.concat([plain.subarray(0, -22), record, locator, last]);
}
