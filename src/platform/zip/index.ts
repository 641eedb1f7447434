/** Reads ZIP files of unknown origin within limits, and writes small ones. */
export { openZip, type Zip, type ZipEntry, type ZipLimits } from './open-zip.ts';
export { writeStoredZip, type StoredEntry } from './write-stored-zip.ts';
export { ZipError } from './zip-error.ts';
