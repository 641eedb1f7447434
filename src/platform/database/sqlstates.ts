import { ApiError, type ErrorStatus } from '../api/errors.ts';

/** The SQLSTATE of PostgreSQL on a full disk. */
export const DISK_FULL = '53100';

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === DISK_FULL;

/**
 * The disk of PostgreSQL is full, and the transaction was rolled back. FATAL: there was no connection, so also reads fail. PANIC: PostgreSQL ended,
 * perhaps after the commit was written. Servers translate ERROR, but not these.
 */
export const isRefusedByFullDisk = (error: unknown): boolean =>
  isDiskFull(error) && !['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '');

/** SQLSTATEs that our database functions raise: OV and the HTTP status. Their messages are shown to users. */
const REFUSAL = /^OV(\d{3})$/;

export function sqlstateError(error: unknown): ApiError | undefined {
  const { code = '', message } = error as { code?: unknown; message: string };
  const [, status] = REFUSAL.exec(String(code)) ?? [];
  return status === undefined ? undefined : new ApiError(Number(status) as ErrorStatus, message);
}
