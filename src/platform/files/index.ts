import { type DiskSpace, openDiskSpace, UNLIMITED_DISK, withDiskSpace } from './disk-space.ts';
import { openLocalFiles } from './store/local-files.ts';
import type { Files } from './store/files.ts';
import { FilesError, misconfigured } from './store/files-error.ts';
import { parseS3Target, type S3Credentials } from './store/s3-target.ts';

export { typeOf } from './type/content-type.ts';
export { type Dimensions, dimensionsOf } from './image/index.ts';
export type { Content, Files, ListedFile } from './store/files.ts';
export { FilesError };
export { type DiskSpace, openDiskSpace, UNLIMITED_DISK };
export { safeName } from './name.ts';
export { parseRange } from './range.ts';
export { headersFor } from './response-headers.ts';

const isBucket = (target: string): boolean => /^s3:/i.test(target);

/** The syntax error of a target. Neither the folder nor the bucket is accessed. */
export function explainFilesTarget(target: string): string | undefined {
  try {
    if (isBucket(target)) parseS3Target(target);
    else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(target))
      throw misconfigured('it must be a folder or a URL that begins with s3://');
    return undefined;
  } catch (error) {
    if (error instanceof FilesError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

/**
 * File storage: a folder, or `s3://bucket/prefix?…` (see `parseS3Target`). Fails at once if it cannot be used. On the disk
 * of a folder, `diskReserve` bytes stay free.
 */
export async function openFiles(
  target: string,
  options: { credentials?: S3Credentials; diskReserve?: number } = {},
): Promise<Files> {
  if (!isBucket(target)) {
    const files = await openLocalFiles(target);
    return withDiskSpace(files, await openDiskSpace(target, options.diskReserve ?? 0));
  }
  const { openBucket } = await import('./store/s3.ts');
  return openBucket(parseS3Target(target, options.credentials));
}
