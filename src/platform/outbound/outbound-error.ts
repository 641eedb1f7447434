/** Why there is no response, for decisions of the caller. */
export type OutboundReason =
  | 'blocked'
  | 'timeout'
  | 'too-large'
  | 'unreachable'
  | 'bad-response'
  | 'redirects';

/** The cause of `unreachable`, where it is certain. */
export type ConnectionFault = 'unknown-host' | 'refused' | 'certificate';

/**
 * A failed request to another server. The message is for the user who entered the URL: it names the host as written,
 * never its IP address or what was found there.
 */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: OutboundReason;
  readonly fault: ConnectionFault | undefined;

  constructor(reason: OutboundReason, message: string, cause?: unknown, fault?: ConnectionFault) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.fault = fault;
  }
}

const ASK_OPERATOR = 'The operator of this server can allow it in OCTAVO_OUTBOUND_ALLOW';

export const blocked = (message: string) => new OutboundError('blocked', message);

/** An entry without a port allows 80 and 443 only: for any other, the port is part of the advice. */
export const notPublic = (hostname: string, port?: number) =>
  blocked(
    `${hostname} is not a public address. ${ASK_OPERATOR}${port === undefined ? '' : ` as host:port (port ${port})`}.`,
  );

export const portRefused = (hostname: string, port: number) =>
  blocked(`Port ${port} of ${hostname} is not allowed, only 80 and 443. ${ASK_OPERATOR} as host:port.`);

export const unreachable = (hostname: string, cause: unknown) =>
  new OutboundError(
    'unreachable',
    `${hostname} cannot be reached. Check the URL, or try later.`,
    cause,
    (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED' ? 'refused' : undefined,
  );

export const unknownHost = (hostname: string) =>
  new OutboundError(
    'unreachable',
    `The host ${hostname} does not exist. Check the URL.`,
    undefined,
    'unknown-host',
  );

export const untrusted = (hostname: string, cause: unknown) =>
  new OutboundError(
    'unreachable',
    `The TLS certificate of ${hostname} is invalid. Its operator must renew or correct it.`,
    cause,
    'certificate',
  );

export const timedOut = (hostname: string, timeoutMs: number) =>
  new OutboundError(
    'timeout',
    `${hostname} did not respond in full within ${timeoutMs / 1000} s. Try again later.`,
  );

export const tooLarge = (hostname: string, maxBytes: number) =>
  new OutboundError('too-large', `The response of ${hostname} exceeds ${sizeOf(maxBytes)}.`);

export const badResponse = (hostname: string, what: string, cause?: unknown) =>
  new OutboundError('bad-response', `The response of ${hostname} is invalid: ${what}.`, cause);

export const tooManyRedirects = (hostname: string, most: number) =>
  new OutboundError(
    'redirects',
    most === 0
      ? `${hostname} redirects, and redirects are not followed here. Send the final URL.`
      : `${hostname} redirects more than ${most} times. Send the final URL.`,
  );

const MB = 1024 * 1024;

const sizeOf = (bytes: number): string => (bytes < MB ? `${bytes} bytes` : `${Math.floor(bytes / MB)} MB`);
