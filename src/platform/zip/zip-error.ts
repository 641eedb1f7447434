export type ZipReason = 'not-zip' | 'encrypted' | 'unsafe-path' | 'too-large' | 'damaged';

/** Why an archive or one of its entries cannot be read. The message is for the user who supplied it. */
export class ZipError extends Error {
  override name = 'ZipError';
  readonly reason: ZipReason;

  constructor(reason: ZipReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

export const notZip = (cause?: unknown) =>
  new ZipError('not-zip', 'This is not a ZIP file. Send a file that begins as one.', cause);

export const encrypted = () => new ZipError('encrypted', 'The ZIP is encrypted. Remove its password.');

export const unsafePath = (name: string) =>
  new ZipError(
    'unsafe-path',
    `The ZIP contains an entry outside of its folder or with an invalid name: ${JSON.stringify(name.slice(0, 100))}. Create the ZIP again from a folder.`,
  );

export const tooLarge = (message: string) => new ZipError('too-large', message);

export const damaged = (cause?: unknown) =>
  new ZipError('damaged', 'The ZIP is incomplete or damaged. Download or create it again.', cause);
