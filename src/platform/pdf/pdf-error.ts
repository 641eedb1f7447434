/** `too-large`: exceeds the limits of time or memory. `busy`: the queue of the owner is full. */
export type PdfReason = 'failed' | 'too-large' | 'busy' | 'cancelled';

/** Why no PDF was produced. The message is for the log and includes the diagnostics of the compiler. */
export class PdfError extends Error {
  readonly reason: PdfReason;
  /** The page that failed, if it was a single one. */
  readonly sheet: string | undefined;

  constructor(reason: PdfReason, message: string, sheet?: string) {
    super(message);
    this.name = 'PdfError';
    this.reason = reason;
    this.sheet = sheet;
  }
}
