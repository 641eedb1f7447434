export type PdfReason = 'failed' | 'timeout' | 'busy';

/** Why there is no PDF. The message says what the compiler said, for the log. */
export class PdfError extends Error {
  readonly reason: PdfReason;

  constructor(reason: PdfReason, message: string) {
    super(message);
    this.name = 'PdfError';
    this.reason = reason;
  }
}
