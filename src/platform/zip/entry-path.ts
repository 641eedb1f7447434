import { isUtf8 } from 'node:buffer';
import type { Entry, getFileNameLowLevel } from 'yauzl';

/** Longer names are no names of files. */
const MAX_PATH_BYTES = 1000;

const UTF8_FLAG = 0x800;

/**
 * The name of an entry with slashes. Some programs write UTF-8 without saying so; text in the old code page that has
 * letters beyond ASCII is practically never valid UTF-8.
 */
export function entryName(entry: Entry, decode: typeof getFileNameLowLevel): string {
  const { generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields } = entry;
  return decode(isUtf8(raw) ? flags | UTF8_FLAG : flags, raw, extraFields, false);
}

/** The path of a file inside the archive. Undefined: the name could lead out of the folder it is unpacked to. */
export function safePath(name: string): string | undefined {
  if (name.includes('\0') || Buffer.byteLength(name) > MAX_PATH_BYTES) return undefined;
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}
