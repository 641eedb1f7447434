/** Statuses of refused requests. `code` on the wire is the HTTP status; nothing else reaches the client. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 412
  | 413
  | 415
  | 417
  | 422
  | 429
  | 500
  | 501
  | 503
  | 507;

/** An error in the input: its place, and the rule that is violated. */
export interface ErrorDetail {
  readonly path: string;
  readonly rule: string;
}

interface ErrorExtras {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.status = status;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
  }
}

export const badRequest = (message: string, details?: readonly ErrorDetail[]) =>
  new ApiError(400, message, details ? { details } : {});

export const unauthorized = (message: string) =>
  new ApiError(401, message, { headers: { 'www-authenticate': 'Bearer realm="octavo"' } });

export const forbidden = (message: string) => new ApiError(403, message);

/** An object that does not exist, and one that the caller may not view, have the same message. */
export const notFound = (what: string) =>
  new ApiError(404, `${what} was not found. Check the id, and that the user of this token may view it.`);

/** No operation or page is served at this path. */
export const noSuchOperation = (method: string, path: string) =>
  new ApiError(
    404,
    `There is no operation ${method} ${path}. Check the path; /reference lists all operations.`,
  );

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  new ApiError(405, `${method} is not supported here. Supported: ${allowed.join(', ')}.`, {
    headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
  });

export const conflict = (message: string) => new ApiError(409, message);
export const preconditionFailed = (message: string) => new ApiError(412, message);
export const tooLarge = (message: string) => new ApiError(413, message);
export const unsupportedMedia = (message: string) => new ApiError(415, message);
export const expectationFailed = () =>
  new ApiError(417, 'Only `Expect: 100-continue` is supported. Omit the header.');
export const unprocessable = (message: string) => new ApiError(422, message);

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, `Too many requests. Retry in ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** The disk is nearly full: nothing was stored. */
export const insufficientStorage = (cause: unknown) =>
  new ApiError(
    507,
    'The disk of the server is full. Nothing was stored. Retry when the operator has freed space.',
    { cause },
  );

/** `what`: large responses, large bodies. */
export const tooManyHeld = (what: string) =>
  new ApiError(429, `Too many ${what} are in progress for your account. Finish them before you send more.`, {
    headers: { 'retry-after': '1' },
  });

/** The response of a process that a newer one has replaced. A load balancer sends the next request elsewhere. */
export const databaseIsNewer = (cause?: unknown) =>
  unavailable('The service is being upgraded. Retry the request.', cause);

export const unavailable = (message: string, cause?: unknown) =>
  new ApiError(503, message, { headers: { 'retry-after': '1' }, cause });
