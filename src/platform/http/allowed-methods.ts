import type { FastifyReply } from 'fastify';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Where an operation is served: its method, and its path as the router spells it. */
export interface Route {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
}

/**
 * Tells the methods that a path takes; none if it leads nowhere. Asked only about requests without a route: the methods
 * that HTTP knows are too many to register each of them at each path.
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
