import { STATUS_CODES } from 'node:http';
import { OutboundError, type Outbound } from '../../../platform/outbound/index.ts';

const REQUEST_MS = 10_000;

export type Method = 'HEAD' | 'GET';

/** The result of a request. */
export interface Verdict {
  readonly isBroken: boolean;
  /** The problem in words. Undefined: there is none. */
  readonly problem?: string;
  /** Another method may have another result. */
  readonly dependsOnMethod?: boolean;
  /** The host asks for fewer requests, or does not respond. */
  readonly isOverloaded?: boolean;
  /** How long the host asks to wait. */
  readonly retryMs?: number;
}

const GONE = new Set([404, 410]);
const OVERLOADED = new Set([429, 503]);

/** Requests a URL, redirects included, and reads no body. */
export async function requestUrl(
  outbound: Outbound,
  method: Method,
  url: URL,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const limits = { maxBytes: Infinity, timeoutMs: REQUEST_MS, signal };
    const { status, headers, body } = await outbound.stream(url, { ...limits, method });
    body.destroy();
    return verdictOf(status, headers['retry-after']);
  } catch (error) {
    if (signal.aborted || !(error instanceof OutboundError)) throw error;
    return verdictOfError(error);
  }
}

/** Only what will most likely not change by itself is broken: a server may be overloaded, or require a login. */
function verdictOf(status: number, retryAfter: string | undefined): Verdict {
  if (status < 400) return { isBroken: false };
  const problem = [status, STATUS_CODES[status]].join(' ').trimEnd();
  if (OVERLOADED.has(status))
    return { isBroken: false, problem, isOverloaded: true, retryMs: waitOf(retryAfter) };
  // Some servers refuse HEAD, with any status.
  return { isBroken: GONE.has(status), problem, dependsOnMethod: true };
}

const DEFAULT_RETRY_MS = 5_000;

/** `Retry-After`: seconds, or a date. */
function waitOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return DEFAULT_RETRY_MS;
  const ms = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_RETRY_MS : Math.max(0, ms);
}

function verdictOfError({ reason, fault, message }: OutboundError): Verdict {
  switch (reason) {
    case 'blocked':
      return { isBroken: false, problem: `Not checked: ${message}` };
    case 'timeout':
      return { isBroken: false, problem: message, isOverloaded: true };
    case 'unreachable':
      return {
        isBroken: fault !== undefined,
        problem: message,
        dependsOnMethod: fault === undefined || fault === 'refused',
      };
    case 'bad-response':
      return { isBroken: false, problem: message, dependsOnMethod: true };
    case 'redirects':
    case 'too-large':
      return { isBroken: false, problem: message };
  }
}
