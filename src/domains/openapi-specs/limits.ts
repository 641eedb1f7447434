/** A specification, in bytes: the largest public ones have some 15 MB. */
export const MAX_SPECIFICATION = 20 * 1024 * 1024;
/** A file of a space, in bytes, which is parsed when a page that shows it is rendered. */
export const MAX_SPECIFICATION_FILE = 5 * 1024 * 1024;
export const PARSE_MS = 15_000;
/** Of the file and of each that it refers to. */
export const FETCH_MS = 10_000;
/** Of all files together: a reader that takes longer has lost its lease. */
export const READ_MS = 4 * 60_000;
export const LEASE = '5 minutes';
/** Sources that are read at the same time, of all organizations: one of each. */
export const MAX_READING = 4;
export const REFRESH_HOURS = 6;
/** After this many failures in a row, the delay no longer grows. */
export const MAX_FAILURES = 5;
export const MAX_VERSIONS = 100;
