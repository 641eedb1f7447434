import { ConfigError } from '../config.ts';
import { ImportError } from '../domains/imports/index.ts';
import { ApiError } from '../platform/api/errors.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { sqlstateError } from '../platform/database/sqlstates.ts';
import { StartError } from '../platform/embedded-postgres/index.ts';
import { FilesError } from '../platform/files/index.ts';
import { ZipError } from '../platform/zip/index.ts';
import { CommandError } from './command.ts';

const KINDS = [
  CommandError,
  StartError,
  ConfigError,
  MigrationError,
  FilesError,
  ApiError,
  ImportError,
  ZipError,
];

/** Whether the message says what the user can do; a stack trace would not. */
export const isUserError = (error: unknown): boolean =>
  KINDS.some((kind) => error instanceof kind) || sqlstateError(error) !== undefined;
