import { type DiskSpace, openDiskSpace, UNLIMITED_DISK, withDiskSpace } from './disk-space.ts';
import { openFolder } from './store/folder.ts';
import type { Files } from './store/files.ts';
import { parseS3Target, type S3Credentials } from './store/s3-target.ts';

export { typeOf } from './type/content-type.ts';
export { type Dimensions, dimensionsOf } from './image/index.ts';
export type { ByteRange, Content, Files, ListedFile, OpenFile, StoredFile } from './store/files.ts';
export { FilesError, type FilesErrorReason } from './store/files-error.ts';
export { type DiskSpace, openDiskSpace, UNLIMITED_DISK };
export { safeName } from './name.ts';
export { parseRange } from './range.ts';
export { headersFor } from './response-headers.ts';
export type { S3Credentials } from './store/s3-target.ts';

/**
 * Where files are kept: a folder, or `s3://bucket/prefix?…` (see `parseS3Target`). Fails at once if it cannot be used.
 * Of the disk of a folder, `diskReserve` bytes stay free.
 */
export async function openFiles(
  target: string,
  options: { credentials?: S3Credentials; diskReserve?: number } = {},
): Promise<Files> {
  if (!/^s3:/i.test(target)) {
    const files = await openFolder(target);
    return withDiskSpace(files, await openDiskSpace(target, options.diskReserve ?? 0));
  }
  const { openBucket } = await import('./store/s3.ts');
  return openBucket(parseS3Target(target, options.credentials));
}
