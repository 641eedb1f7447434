import type { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { PageAnswer, Visit } from '../../platform/http/page.ts';
import { VERSION } from '../../platform/version.ts';
import { decoded, type ServedSite } from '../read/find-site.ts';
import { locate } from '../read/locate.ts';
import { identifyVisitor } from '../read/visitor.ts';
import { siteRequest, type SiteRequest } from '../serve/request.ts';
import { findPages } from './find-pages.ts';
import { pageMarkdown } from './markdown.ts';

const MAX_QUERY = 512;

const HOW_TO =
  'This is an MCP server (streamable HTTP). Add its URL to an MCP client, which sends POST requests.\n';

/** Clients ask for a stream, which there is none of; people who follow the link are told what it is. */
export const answerMcpGet = ({ visit }: SiteRequest): PageAnswer => ({
  status: /text\/event-stream/i.test(visit.headers['accept'] ?? '') ? 405 : 200,
  type: 'text/plain; charset=utf-8',
  body: HOW_TO,
  headers: { allow: 'POST' },
});

/** Search and pages of a site for agents: what the visitor may read, and nothing that changes it. Without sessions. */
export async function serveMcp(visit: Visit, served: ServedSite): Promise<PageAnswer> {
  const visitor = await identifyVisitor(visit.ctx, served.site, visit.cookies);
  if (visitor.refusal || visitor.previewer !== undefined) {
    const status = visitor.refusal === 'not-published' ? 404 : 403;
    return { status, type: 'text/plain; charset=utf-8', body: 'You may not read this site.\n' };
  }
  const request = siteRequest(visit, served, visitor);
  // Loaded when the first agent connects: most installations start without one.
  const sdk = await import('@modelcontextprotocol/server');
  const handler = sdk.createMcpHandler(
    () => {
      const server = new sdk.McpServer(
        { name: served.site.title, version: VERSION },
        { instructions: `Documentation: ${served.site.title}. Search it, then read the pages that match.` },
      );
      addTools(server, request, sdk.fromJsonSchema);
      return server;
    },
    // No subscriptions: they would hold a connection. Tools send nothing before their result, so that it is one JSON body.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  );
  const response = await handler.fetch(
    new Request(request.addresses.absolute(request.addresses.own('mcp')), {
      method: 'POST',
      headers: passedOn(visit),
      body: new Uint8Array(visit.body),
    }),
  );
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? 'application/json',
    body: Buffer.from(await response.arrayBuffer()),
  };
}

function passedOn({ headers }: Visit): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^(accept|content-type|mcp-.*)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
}

function addTools(server: McpServer, request: SiteRequest, schemaOf: typeof fromJsonSchema): void {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const textInput = <T>(name: string, description: string) =>
    schemaOf<T>({
      type: 'object',
      properties: { [name]: { type: 'string', maxLength: 2048, description } },
      required: [name],
    });
  server.registerTool(
    'search',
    {
      title: 'Search',
      description: 'Pages of the documentation that contain the words, the best first, with excerpts.',
      inputSchema: textInput<{ query: string }>('query', 'Words to search for'),
      annotations,
    },
    async ({ query }) => textResult(await searchText(request, query)),
  );
  server.registerTool(
    'get_page',
    {
      title: 'Get a page',
      description: 'A page of the documentation as Markdown.',
      inputSchema: textInput<{ url: string }>('url', 'URL of the page, or its path on the site'),
      annotations,
    },
    async ({ url }) => {
      const text = await pageText(request, url);
      return text === undefined
        ? { ...textResult('There is no such page. Use search to find the URLs of pages.'), isError: true }
        : textResult(text);
    },
  );
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

async function searchText({ visit, reader, addresses }: SiteRequest, query: string): Promise<string> {
  // oxlint-disable-next-line no-control-regex -- no page has them
  const words = query.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_QUERY);
  const hits = await findPages(visit.ctx, reader, undefined, words);
  if (hits.length === 0) return 'No page matches.';
  return hits
    .map(({ space, page, sections }) => {
      const url = addresses.absolute(addresses.page(space, page.id));
      const excerpts = sections.map(({ title, excerpt }) => `  ${title ? `${title}: ` : ''}${excerpt}`);
      return [`- [${page.title}](${url})`, ...excerpts].join('\n');
    })
    .join('\n');
}

async function pageText(request: SiteRequest, url: string): Promise<string | undefined> {
  const { visit, reader, addresses } = request;
  let path = pathOf(request, url);
  // One redirect, such as from an old address to the present one.
  for (let tries = 0; tries < 2 && path !== undefined; tries++) {
    const located = await locate(visit.ctx, reader, addresses, path);
    if (located.kind === 'missing') return undefined;
    if (located.kind === 'page')
      return (await pageMarkdown(reader, addresses, located.space, located.page)).text;
    path = located.href.slice(addresses.basePath.length);
  }
  return undefined;
}

/** The path below the site. */
function pathOf({ addresses }: SiteRequest, url: string): string | undefined {
  const root = addresses.absolute(addresses.root);
  const [withoutQuery = ''] = url.trim().split(/[?#]/, 1);
  if (withoutQuery.startsWith(root)) return `/${withoutQuery.slice(root.length)}`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(withoutQuery) || decoded(withoutQuery.replaceAll('/', '')) === undefined)
    return undefined;
  const path = `/${withoutQuery.replace(/^\/+/, '')}`;
  return path.startsWith(`${addresses.basePath}/`) ? path.slice(addresses.basePath.length) : path;
}
