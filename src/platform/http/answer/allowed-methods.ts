import type { FastifyReply } from 'fastify';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The method of an operation, and its path in the syntax of the router. */
export interface Route {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
}

/**
 * The methods that a path supports; none if it does not exist. Only used for requests without a route: registering every
 * HTTP method at every path would be too many routes.
 */
export function methodsByPath(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map(({ method, url }) => ({ method, pattern: patternOf(url) }));
  return (path) => {
    const served = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    return METHODS.filter((method) => served.has(method)).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
  };
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`)
      .replace(/\*$/, '.*')
      .replaceAll(/:\w+/g, '[^/]+')}/?$`,
  );

export const answerOptions = (reply: FastifyReply, methods: readonly string[]): FastifyReply =>
  reply
    .code(204)
    .header('allow', [...methods, 'OPTIONS'].join(', '))
    .send();
