import { pino, stdSerializers, type Logger } from 'pino';
import type { Config } from './config.ts';
import { ApiError } from './platform/api/errors.ts';
import { isDiskFull } from './platform/database/sqlstates.ts';
import { FilesError } from './platform/files/store/files-error.ts';

export const createLog = (config: Config): Logger =>
  pino({ level: config.logLevel, serializers: { err: describe } }, pino.destination(2));

/** On a full disk every write fails, and the stack traces of all of them would fill what is freed. */
function describe(error: Error) {
  if (!isOutOfSpace(error)) return stdSerializers.err(error);
  const { name, message, cause } = error;
  return { type: name, message, cause: cause instanceof Error ? cause.message : undefined };
}

const isOutOfSpace = (error: Error): boolean =>
  isDiskFull(error) ||
  (error instanceof ApiError && error.status === 507) ||
  (error instanceof FilesError && error.reason === 'no-space');
