import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A body of HTML, or what a handler sends. */
export type Site = Readonly<Record<string, string | Handler>>;

export interface ServedSite {
  readonly url: string;
  readonly port: number;
  /** The paths that were requested, in order, without robots.txt. */
  readonly requests: string[];
  /** Connections that are open. */
  connections(): Promise<number>;
}

/**
 * Serves a website on 127.0.0.1, by path. Paths that are not in it are answered by `other`, by default with 404. Clients
 * need `OCTAVO_OUTBOUND_ALLOW=127.0.0.1:<port>`. Closed when the test file ends.
 */
export async function serveSite(site: Site, other: Handler = notFound): Promise<ServedSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path !== '/robots.txt') requests.push(path);
    const entry = Object.hasOwn(site, path) ? site[path] : undefined;
    if (typeof entry === 'string') html(entry)(request, response);
    else (entry ?? (path === '/robots.txt' ? notFound : other))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  };
}

export const notFound: Handler = (_request, response) => response.writeHead(404).end();

export const html =
  (body: string): Handler =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);

export const respond =
  (status: number, headers: Readonly<Record<string, string>> = {}, body: string | Buffer = ''): Handler =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

export const redirectTo = (location: string, status = 302): Handler => respond(status, { location });

/** A page with a navigation, as generators of documentation write it: `- ` per level, then `title|href`. */
export function aPage(title: string, content = '', navigation: readonly string[] = []): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><nav class="sidebar">${listOf(navigation)}</nav>
<main><h1>${title}</h1><p>Text of ${title}.</p>${content}</main></body></html>`;
}

function listOf(lines: readonly string[]): string {
  let depth = 0;
  let list = '';
  for (const line of lines) {
    const [, dashes = '', title = '', href] = /^((?:- )*)([^|]*)(?:\|(.*))?$/.exec(line) ?? [];
    const to = dashes.length / 2 + 1;
    list += to > depth ? '<ul>'.repeat(to - depth) : `</li>${'</ul></li>'.repeat(depth - to)}`;
    list += `<li>${href === undefined ? `<span>${title}</span>` : `<a href="${href}">${title}</a>`}`;
    depth = to;
  }
  return list + '</li></ul>'.repeat(depth);
}
