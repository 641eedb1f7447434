import type { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { TooLargeHere } from '../../../platform/api/too-large-here.ts';
import type { PageAnswer, Visit } from '../../../platform/http/pages/page.ts';
import { readJson } from '../../../platform/http/receive/parse-json.ts';
import { VERSION } from '../../../platform/version.ts';
import type { ServedSite } from '../../read/find-site.ts';
import type { Refusal } from '../../read/visitor.ts';
import { headersOf, siteRequest, type SiteRequest } from '../../serve/request.ts';
import { identifyAgent } from './identify-agent.ts';
import { MAX_QUERY } from '../find-pages.ts';
import { MAX_URL, pageText, searchText } from './mcp-tools.ts';

/** Codes of JSON-RPC. */
const INVALID_REQUEST = -32600;
const REFUSED = -32000;

const REFUSALS: Readonly<
  Record<Exclude<Refusal, 'not-published'>, readonly [status: number, message: string]>
> = {
  'share-link': [403, 'Put the key of a share link before `~octavo/mcp` in the URL.'],
  'sign-in': [401, 'Send a valid JWT of the site: `Authorization: Bearer <token>`.'],
};

const rpcError = (status: number, code: number, message: string): PageAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
});

const HOW_TO =
  'This is an MCP server (streamable HTTP). Add its URL to an MCP client, which sends POST requests.\n';

/** Clients request an event stream, which is not supported: 405. Browsers get an explanation. */
export const answerMcpGet = ({ visit }: SiteRequest): PageAnswer => ({
  status: /text\/event-stream/i.test(visit.headers['accept'] ?? '') ? 405 : 200,
  type: 'text/plain; charset=utf-8',
  body: HOW_TO,
  headers: { allow: 'POST' },
});

/** Search and pages of a site for agents: what the visitor may read, and nothing that changes it. Without sessions. */
export async function serveMcp(visit: Visit, found: ServedSite): Promise<PageAnswer | undefined> {
  const { visitor, served } = await identifyAgent(visit, found);
  if (visitor.refusal === 'not-published') return undefined;
  if (visitor.refusal !== undefined) {
    const [status, message] = REFUSALS[visitor.refusal];
    return rpcError(status, REFUSED, message);
  }
  const message = readJson(visit.headers['content-type'], visit.body);
  // The protocol has no batches since 2025-06-18; one would be many searches for the price of a request.
  if (Array.isArray(message)) return rpcError(400, INVALID_REQUEST, 'Send one message in each request.');
  const refused: TooLargeHere[] = [];
  const response = await exchange(await siteRequest(visit, served, visitor), message, refused);
  // The library makes a result of every error, and the kernel forwards the request by this one.
  if (refused[0]) throw refused[0];
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? 'application/json',
    headers: headersOf(served),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** The library is loaded when the first agent connects: most installations start without one. */
async function exchange(request: SiteRequest, message: unknown, refused: TooLargeHere[]): Promise<Response> {
  const library = await import('@modelcontextprotocol/server');
  const { site, visit, addresses } = request;
  const title = site.customization.title ?? site.title;
  const newServer = () => {
    const server = new library.McpServer(
      { name: title, version: VERSION },
      { instructions: `Documentation: ${title}. Search it, then read the pages that match.` },
    );
    addTools(server, request, library.fromJsonSchema, refused);
    return server;
  };
  const sent = new Request(addresses.absolute(addresses.own('mcp')), {
    method: 'POST',
    headers: passedOn(visit),
    body: JSON.stringify(message),
  });
  const given = { parsedBody: message };
  if (!(await library.isLegacyRequest(sent, message))) {
    // No subscriptions: they would hold a connection. Tools send nothing before their result, so that it is one JSON body.
    const options = { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 } as const;
    return library.createMcpHandler(newServer, options).fetch(sent, given);
  }
  // Clients of the revisions of 2025, which the handler above would answer with a stream of one event.
  const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer();
  await server.connect(transport);
  try {
    return await transport.handleRequest(sent, given);
  } finally {
    await server.close();
  }
}

function passedOn({ headers }: Visit): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^(accept|content-type|mcp-.*)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
}

/** Compiled once: that takes longer than everything else about a message. */
let inputs: ReturnType<typeof inputsOf> | undefined;

function inputsOf(schemaOf: typeof fromJsonSchema) {
  const textInput = <T>(name: string, description: string, maxLength: number) =>
    schemaOf<T>({
      type: 'object',
      properties: { [name]: { type: 'string', minLength: 1, maxLength, description } },
      required: [name],
    });
  return {
    search: textInput<{ query: string }>('query', 'Words to search for', MAX_QUERY),
    page: textInput<{ url: string }>('url', 'URL of the page, or its path on the site', MAX_URL),
  };
}

function addTools(
  server: McpServer,
  request: SiteRequest,
  schemaOf: typeof fromJsonSchema,
  refused: TooLargeHere[],
): void {
  inputs ??= inputsOf(schemaOf);
  const noting = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof TooLargeHere) refused.push(error);
      throw error;
    });
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(
    'search',
    {
      title: 'Search',
      description: 'Pages of the documentation that contain the words, the best first, with excerpts.',
      inputSchema: inputs.search,
      annotations,
    },
    async ({ query }) => textResult(await noting(searchText(request, query))),
  );
  server.registerTool(
    'get_page',
    {
      title: 'Get a page',
      description: 'A page of the documentation as Markdown.',
      inputSchema: inputs.page,
      annotations,
    },
    async ({ url }) => {
      const text = await noting(pageText(request, url));
      return text === undefined
        ? { ...textResult('There is no such page. Use search to find the URLs of pages.'), isError: true }
        : textResult(text);
    },
  );
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
