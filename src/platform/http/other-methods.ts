import type { FastifyInstance } from 'fastify';
import { methodNotAllowed } from '../errors.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** Where an operation is served: its method, and its path as the router spells it. */
export interface Route {
  readonly method: Method;
  readonly url: string;
}

/** Answers 405 to the methods that a path does not take, and tells those that it does. */
export function registerOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  for (const url of new Set(routes.map((route) => route.url))) {
    const served = METHODS.filter((method) => isServed(routes, method, url));
    const allowed = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.options(url, (_request, reply) =>
      reply
        .code(204)
        .header('allow', [...allowed, 'OPTIONS'].join(', '))
        .send(),
    );
    const others = METHODS.filter((method) => !served.includes(method));
    if (others.length === 0) continue;
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      onRequest: (request) => {
        throw methodNotAllowed(request.method, allowed);
      },
      handler: () => undefined,
    });
  }
}

/** By a route of its own, or by one whose parameter takes what this one spells out: `/users/me` and `/users/:id`. */
const isServed = (routes: readonly Route[], method: Method, url: string): boolean =>
  routes.some((route) => route.method === method && (route.url === url || covers(route.url, url)));

function covers(general: string, special: string): boolean {
  const [a, b] = [general.split('/'), special.split('/')];
  return a.length === b.length && a.every((part, index) => part === b[index] || part.startsWith(':'));
}
