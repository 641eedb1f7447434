/** The disk of PostgreSQL is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '53100';

/**
 * The same, and the transaction was rolled back. FATAL: there was no connection, so also reads fail. PANIC: PostgreSQL ended,
 * perhaps after the commit was written. Servers translate ERROR, but not these.
 */
export const isRefusedByFullDisk = (error: unknown): boolean =>
  isDiskFull(error) && !['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '');
