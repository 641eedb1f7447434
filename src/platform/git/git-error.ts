export type GitReason =
  | 'no-program'
  | 'invalid-url'
  | 'blocked-host'
  | 'unknown-host'
  | 'unreachable'
  | 'unauthorised'
  | 'no-repository'
  | 'invalid-ref'
  | 'invalid-path'
  | 'unknown-commit'
  | 'timeout'
  | 'too-large'
  | 'too-many-files'
  | 'invalid-repository'
  /** The remote does not accept a push: a protected branch, or a hook. */
  | 'refused'
  /** The cached copy is incomplete. It is removed, and the next job fetches it again. */
  | 'damaged-copy'
  | 'failed';

/** A failed Git operation. The message is for the user who configured it, and contains no credential. */
export class GitError extends Error {
  override name = 'GitError';
  readonly reason: GitReason;

  constructor(reason: GitReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}
