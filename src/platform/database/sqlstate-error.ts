import { ApiError, type ErrorStatus } from '../api/errors.ts';

/** SQLSTATEs that our database functions raise: OV and the HTTP status. Their messages are shown to users. */
const REFUSAL = /^OV(\d{3})$/;

export function sqlstateError(error: unknown): ApiError | undefined {
  const { code = '', message } = error as { code?: unknown; message: string };
  const [, status] = REFUSAL.exec(String(code)) ?? [];
  return status === undefined ? undefined : new ApiError(Number(status) as ErrorStatus, message);
}
