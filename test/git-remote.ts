import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOutbound, type Outbound } from '../src/platform/outbound/index.ts';
import { atEnd } from './at-end.ts';
import { createTestRepository, ENVIRONMENT, type TestRepository } from './git-repository.ts';

export interface GitRemote {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly folder: string;
  /** `GET /docs.git/info/refs`, in order; not those that were refused for want of a password. */
  readonly requests: string[];
  /** Reaches this remote, and nothing else on this machine. */
  readonly outbound: Outbound;
  /** Called before each request. True: it has answered, or never will. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  addRepository(name?: string, format?: 'sha1' | 'sha256'): Promise<TestRepository>;
  close(): Promise<void>;
}

/** A smart-HTTP remote on this machine: `git http-backend` behind node:http, closed when the test file ends. */
export async function startGitRemote(
  options: { readonly username?: string; readonly password?: string } = {},
): Promise<GitRemote> {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-git-remote-'));
  const requests: string[] = [];
  let repositories = 0;
  const server = createServer((request, response) => {
    if (remote.intercept?.(request, response)) return;
    if (!isAdmitted(request, options)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    requests.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
    serve(folder, request, response);
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const remote: GitRemote = {
    origin,
    folder,
    requests,
    outbound: createOutbound({ allow: [`127.0.0.1:${port}`], ownAddresses: [] }),
    intercept: undefined,
    addRepository: (name = `repository-${++repositories}`, format = 'sha1') =>
      createTestRepository({
        folder: path.join(folder, `${name}.git`),
        url: `${origin}/${name}.git`,
        format,
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  atEnd(remote.close);
  return remote;
}

function isAdmitted(
  request: IncomingMessage,
  { username, password }: { username?: string; password?: string },
) {
  if (password === undefined && username === undefined) return true;
  const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  return request.headers.authorization === `Basic ${pair}`;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The program itself: `git http-backend` would be one more process for each request. */
const backend: Promise<string> = new Promise((resolve, reject) => {
  execFile('git', ['--exec-path'], (error, stdout) =>
    error ? reject(error) : resolve(path.join(stdout.trim(), 'git-http-backend')),
  );
});

async function serve(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const header = (name: string) => String(request.headers[name] ?? '');
  const child = spawn(await backend, [], {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'tester',
      REMOTE_ADDR: '127.0.0.1',
      ...(request.headers['content-length'] ? { CONTENT_LENGTH: header('content-length') } : {}),
    },
  });
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) {
      if (!response.write(chunk)) {
        child.stdout.pause();
        response.once('drain', () => child.stdout.resume());
      }
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    sendHead(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + 4));
  });
  child.once('close', () => response.end());
}

/** Headers of CGI: the status is one of them. */
function sendHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else if (name) response.setHeader(name, value);
  }
  response.writeHead(status);
  response.flushHeaders();
}
