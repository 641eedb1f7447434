/** Limits of what is recorded of readers: anyone can send events, and no caller may fill the memory or the database. */

/** Distinct rows of one kind that wait in a process to be written. More are not counted. */
export const MAX_WAITING = 10_000;
/** Rows of one transaction: as many are lost if one of them cannot be written. */
export const MAX_PORTION = 500;

// Limits of one site and day. Processes that flush at the same time may exceed them by what they write.

/** Distinct pages with views. Views of others are not counted. */
export const MAX_PAGES = 20_000;
/** Distinct queries. Others are counted together. */
export const MAX_QUERIES = 1000;
/** Ratings and comments. Later ones are not stored. */
export const MAX_FEEDBACK = 5000;

/** Counts and feedback are deleted after this time: a year, and the month that it is compared with. */
export const RETENTION = '13 months';
/** Days of one query: all that are retained. */
export const MAX_DAYS = 400;
export const DAY_MS = 24 * 60 * 60 * 1000;
