import { ApiError, type ErrorStatus } from '../api/errors.ts';

/** SQLSTATEs of what functions of the database refuse: OV and the HTTP status. The message is written for people. */
const REFUSAL = /^OV(\d{3})$/;

export function refusalByDatabase(error: unknown): ApiError | undefined {
  const { code = '', message } = error as { code?: unknown; message: string };
  const [, status] = REFUSAL.exec(String(code)) ?? [];
  return status === undefined ? undefined : new ApiError(Number(status) as ErrorStatus, message);
}
