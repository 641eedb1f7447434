import { ApiError, unavailable } from '../../platform/api/errors.ts';
import { OutboundError, type OutboundReason } from '../../platform/outbound/index.ts';
import { ZipError } from '../../platform/zip/index.ts';
import { ImportError } from './folder/imported-folder.ts';

/** The errors of readers as refusals of a request. `path`: the member of the body that names the source. */
export function refusalOf(error: unknown, path: string, signal: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (signal.aborted) return unavailable('The client disconnected. Nothing was imported.', error);
  const [status, message] = sourceError(error) ?? [];
  if (status === undefined || message === undefined) return error;
  return new ApiError(status, `${path}: ${message}`, { details: [{ path, rule: message }], cause: error });
}

/** The messages of the other reasons contain theirs. */
const OUTBOUND_ADVICE: Partial<Readonly<Record<OutboundReason, string>>> = {
  'too-large': 'Import a smaller file, or parts of it.',
  'bad-response': 'Check the URL, or try again later.',
};

const joined = (message: string, advice: string | undefined): string =>
  advice === undefined ? message : `${message} ${advice}`;

/** Errors that are about the source. Others are bugs or failures of this server. */
export function sourceError(error: unknown): readonly [status: 400 | 413 | 422, message: string] | undefined {
  if (error instanceof ImportError) return [error.status, joined(error.message, error.advice)];
  if (error instanceof OutboundError)
    return [error.reason === 'too-large' ? 413 : 400, joined(error.message, OUTBOUND_ADVICE[error.reason])];
  if (error instanceof ZipError) return [error.reason === 'too-large' ? 413 : 422, error.message];
  return undefined;
}
