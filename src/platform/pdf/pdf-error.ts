/** `too-large`: it needs more time or memory than a document is given. `busy`: too many wait. */
export type PdfReason = 'failed' | 'too-large' | 'busy' | 'cancelled';

/** Why there is no PDF. The message says what the compiler said, for the log. */
export class PdfError extends Error {
  readonly reason: PdfReason;
  /** The page that could not be made, where it was one. */
  readonly sheet: string | undefined;

  constructor(reason: PdfReason, message: string, sheet?: string) {
    super(message);
    this.name = 'PdfError';
    this.reason = reason;
    this.sheet = sheet;
  }
}
