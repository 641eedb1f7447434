import type { FastifyInstance } from 'fastify';
import type { LevelWithSilent, Logger } from 'pino';
import { isProbe } from '../probes.ts';

export interface LoggedRequest {
  readonly method: string;
  /** The path without its query, which may contain tokens. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The id of the user. */
  readonly caller?: string | undefined;
  readonly requestId: string;
}

/** Writes the line of a request; undefined if the level is not logged, so that nothing is prepared for it. */
export type LogRequest = (request: LoggedRequest) => void;

export const createRequestLog = (log: Logger, level: LevelWithSilent): LogRequest | undefined =>
  level === 'silent' || !log.isLevelEnabled(level) ? undefined : (request) => log[level](request, 'request');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the caller is identified. */
    callerId: string | undefined;
  }
}

export function logRequests(app: FastifyInstance, logRequest: LogRequest): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, id: requestId, callerId: caller } = request;
    if (!isProbe(request.routeOptions.url)) {
      const path = loggedPath(url, request.params as Readonly<Record<string, string>>);
      logRequest({
        method,
        path,
        status: reply.statusCode,
        ms: rounded(reply.elapsedTime),
        caller,
        requestId,
      });
    }
    done();
  });
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** Parameters of paths that give access to anyone who knows them. */
const SECRET_PARAMETERS = ['code', 'inviteId', 'key', 'signature'];
/** Keys of share links, and tokens. Ids are shorter. */
const SECRET_TEXT = /[0-9A-Za-z]{24,}/g;
const HIDDEN = '***';

export function loggedPath(url: string, params: Readonly<Record<string, string>> = {}): string {
  const [path = ''] = url.split('?', 1);
  const secrets = new Set(SECRET_PARAMETERS.map((name) => params[name]));
  return path
    .split('/')
    .map((segment) => {
      const text = decoded(segment);
      if (secrets.has(text)) return HIDDEN;
      const shown = text.replaceAll(SECRET_TEXT, HIDDEN);
      return shown === text ? segment : encodeURIComponent(shown);
    })
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
