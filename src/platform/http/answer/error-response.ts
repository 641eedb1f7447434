import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../../database/connection.ts';
import { isRefusedByFullDisk, sqlstateError } from '../../database/sqlstates.ts';
import {
  ApiError,
  badRequest,
  conflict,
  insufficientStorage,
  tooLarge,
  unavailable,
  unsupportedMedia,
} from '../../api/errors.ts';
import { policyText, STRICT_POLICY } from '../../api/content-security-policy.ts';
import { FilesError } from '../../files/index.ts';
import { ThreadError } from '../../threads/index.ts';
import { isApiPath } from './cors.ts';
import { html, plainPage } from '../pages/html.ts';
import { PAGE_HEADERS } from '../pages/page.ts';

/** Error messages for violated database constraints, by name. */
export type ConstraintMessages = Readonly<Record<string, string>>;

export const errorBody = (error: ApiError): string =>
  JSON.stringify({
    error: {
      code: error.status,
      message: error.message,
      ...(error.details ? { details: error.details } : {}),
    },
  });

export const ERROR_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Turns any error into a response. An unexpected one is a bug: 500, with the details in the log. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  constraints: ConstraintMessages,
): FastifyReply {
  const error = toApiError(thrown, constraints) ?? bug(request);
  if (error.status >= 500 && !isAbort(thrown, request)) {
    request.log.error({ err: thrown, requestId: request.id }, error.message);
  }
  return isForBrowser(request) ? sendErrorPage(reply, error) : sendError(reply, error);
}

const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply
    .code(error.status)
    .headers({ ...ERROR_HEADERS, ...error.headers })
    .send(errorBody(error));

/** A browser that shows a page. Programs that take anything do not name HTML, and the API always answers in JSON. */
const isForBrowser = ({ url, headers: { accept = '' } }: FastifyRequest): boolean =>
  !isApiPath(url) && /text\/html/i.test(accept);

const sendErrorPage = (reply: FastifyReply, { status, message, headers }: ApiError): FastifyReply =>
  reply
    .code(status)
    .headers({
      ...ERROR_HEADERS,
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyText(STRICT_POLICY),
      ...headers,
    })
    .send(
      plainPage(
        STATUS_CODES[status] ?? 'Error',
        html`<h1>${STATUS_CODES[status] ?? 'Error'}</h1>
          <p>${message}</p>`,
      ),
    );

const ABORTS: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ABORT_ERR',
]);

/** The client disconnected while its body was read or its answer was made or written: not an error of the server. */
const isAbort = (thrown: unknown, { raw, signal }: FastifyRequest): boolean =>
  raw.socket.destroyed && (thrown === signal.reason || ABORTS.has((thrown as NodeJS.ErrnoException).code));

const bug = (request: FastifyRequest) =>
  new ApiError(500, `Internal error. The server log contains it under request ${request.id}.`);

export function toApiError(thrown: unknown, constraints: ConstraintMessages): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  const refusal = sqlstateError(thrown) ?? refusalByStorage(thrown);
  if (refusal) return refusal;
  // Fastify's errors have a status. Without this check a disconnected client would look like a lost database.
  if (isDatabaseAway(thrown) && (thrown as FastifyError).statusCode === undefined) {
    return unavailable(
      'The database is unavailable. Whether this request took effect is unknown. Retry it (a POST with the same Idempotency-Key).',
      thrown,
    );
  }
  return fromBudget(thrown) ?? fromDatabase(thrown, constraints) ?? fromFastify(thrown as FastifyError);
}

/** What a failed job says to its user. Undefined: the server failed, and the job is to be attempted again. */
export function messageForUser(thrown: unknown): string | undefined {
  const refusal = toApiError(thrown, {});
  return refusal && (refusal.status < 500 || refusal.status === 507) ? refusal.message : undefined;
}

/** Exceeded budgets. Callers that know the context throw a better message; this is the fallback. */
function fromBudget(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ThreadError) {
    return thrown.failure === 'time' || thrown.failure === 'memory'
      ? tooLarge(`This exceeds the ${thrown.failure} limit for one request. Request less at once.`)
      : unavailable('The server is processing too many large pages. Retry in a moment.', thrown);
  }
  const { code, message } = thrown as { code?: string; message?: string };
  return code === 'BUDGET_EXCEEDED' ? tooLarge(`Content of this request ${message}`) : undefined;
}

function refusalByStorage(thrown: unknown): ApiError | undefined {
  if (isRefusedByFullDisk(thrown)) return insufficientStorage(thrown);
  if (!(thrown instanceof FilesError)) return undefined;
  if (thrown.reason === 'no-space') return insufficientStorage(thrown);
  if (thrown.reason === 'too-large') return tooLarge(thrown.message);
  if (thrown.reason === 'unavailable')
    return unavailable('File storage is unavailable. Retry the request.', thrown);
  return undefined;
}

function fromDatabase(thrown: unknown, constraints: ConstraintMessages): ApiError | undefined {
  const { code, constraint } = thrown as { code?: string; constraint?: string };
  if (constraint && constraint in constraints) return conflict(constraints[constraint] ?? '');
  // It was retried several times (`transaction.ts`).
  if (code === '40001' || code === '40P01') {
    return unavailable(
      'Concurrent requests are changing the same resource. Nothing was changed. Retry the request.',
      thrown,
    );
  }
  // `statement_timeout` (`connection.ts`).
  if (code === '57014') {
    return new ApiError(
      503,
      'The database took too long and cancelled the operation. Request less at once, or retry later.',
      { headers: { 'retry-after': '30' }, cause: thrown },
    );
  }
  // A value exceeds the size of an index entry.
  if (code === '54000') return tooLarge('A value of this request is too long to be stored. Shorten it.');
  // A number, date or time that PostgreSQL cannot represent.
  if (code === '23514' || code === '22007' || code === '22008') return badRequest('A value is out of range.');
  // Text that PostgreSQL cannot store: a NUL character in a JSON string.
  if (code === '22021' || code === '22P05') return badRequest('Text must not contain NUL characters.');
  return undefined;
}

function fromFastify(thrown: FastifyError): ApiError | undefined {
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The body exceeds the limit of this operation.');
    case 'FST_ERR_BAD_URL':
      return badRequest(
        'The address is malformed: write a percent sign in it as %25, and other characters in UTF-8.',
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMedia('Send the body as JSON, with `Content-Type: application/json`.');
    default:
      return typeof thrown.statusCode === 'number' && thrown.statusCode < 500
        ? badRequest(thrown.message)
        : undefined;
  }
}

/** Answers data that is not an HTTP request (malformed, too large or too slow), then closes the connection. */
export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = BROKEN[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ error: { code: status, message } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(error),
  );
}

const BROKEN: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time. Send it again.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
};
