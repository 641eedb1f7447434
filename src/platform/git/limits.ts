const KB = 1024;
const MB = 1024 * KB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Limits {
  /** Limits one process that fetches or pushes. */
  readonly transferMs: number;
  /** Limits one process that only asks a remote for its branches. */
  readonly lookupMs: number;
  /** Limits a process without a network, while we wait for it. */
  readonly localMs: number;
  /** A remote that sends nothing for this long is given up. */
  readonly stalledMs: number;
  /** Limits the job's folder while it is fetched into. */
  readonly copyBytes: number;
  readonly pollMs: number;
  readonly files: number;
  /** Limits the names of all files together. */
  readonly listBytes: number;
  readonly blobBytes: number;
  readonly commitBytes: number;
}

export const LIMITS: Limits = {
  transferMs: 10 * MINUTE,
  lookupMs: MINUTE,
  localMs: 2 * MINUTE,
  stalledMs: MINUTE,
  copyBytes: 1024 * MB,
  pollMs: 200,
  files: 50_000,
  listBytes: 32 * MB,
  blobBytes: 100 * MB,
  commitBytes: MB,
};

/** Kept of what a git process writes to its standard error. */
export const STDERR_LENGTH = 16 * KB;
/** The length of a message of the remote that is shown to people. */
export const REMOTE_MESSAGE_LENGTH = 500;
export const URL_LENGTH = 4096;

/** Copies with more packs are repacked: each fetch and each commit adds one. */
export const MAX_PACKS = 50;
export const UNUSED_COPY_MS = 7 * 24 * HOUR;
/** Folders of jobs that a crash left: no job runs this long without starting a process. */
export const ABANDONED_JOB_MS = 2 * HOUR;

/** The limit of one allocation of git: a hostile pack declares any size for the result of a delta. */
export const ALLOCATION_LIMIT = '256m';
/** Larger blobs are streamed by git instead of being held in memory. */
export const STREAMED_BLOB = '16m';
