export type FilesErrorReason = 'too-large' | 'no-space' | 'unavailable' | 'misconfigured';

/** Why content could not be stored or read. A missing file is no error, but `undefined`. */
export class FilesError extends Error {
  override name = 'FilesError';
  readonly reason: FilesErrorReason;

  constructor(reason: FilesErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

export const contentTooLarge = (maxBytes: number) =>
  new FilesError('too-large', `The file exceeds ${maxBytes} bytes.`);

export const misconfigured = (what: string, cause?: unknown) =>
  new FilesError('misconfigured', `OCTAVO_FILES: ${what}.`, cause);

/** Replaces a disk error by one that tells the operator what to do. Other errors are returned unchanged. */
export function explainDiskError(error: unknown, folder: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new FilesError('no-space', `No space is left on the disk of ${folder}. Free some space.`, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return misconfigured(`${folder} is not writable by this account`, error);
    case 'ENOTDIR':
    case 'EEXIST':
      return misconfigured(`${folder} is a file, or below a file`, error);
    default:
      return error;
  }
}
