import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';

const KEY = 'AKIDEXAMPLE';
export const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

/** Failures beside statuses: what happens to the connection. */
export const [HANG_UP, CUT_SHORT, FAIL_CUT_SHORT] = [0, 1, 2];

export interface ServedBucket {
  readonly endpoint: string;
  readonly objects: Map<string, { content: Buffer; storedAt: Date }>;
  /** Method and path of each request, in order. */
  readonly requests: string[];
  /** How the next requests fail. */
  readonly failures: number[];
  /** The value of `OCTAVO_FILES`. */
  target(path?: string, more?: string): string;
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** As much of S3 as is asked for, with signatures checked by code of its own. Closed when the test file ends. */
export async function serveBucket(): Promise<ServedBucket> {
  const objects: ServedBucket['objects'] = new Map();
  const requests: string[] = [];
  const failures: number[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const [failure = Infinity] = failures;
    if (failure <= FAIL_CUT_SHORT) {
      failures.shift();
      requests.push('cut off');
      const status = failure === CUT_SHORT ? 200 : 500;
      if (failure !== HANG_UP) response.writeHead(status, { 'content-length': '1000' }).write('<ListBucket');
      setImmediate(() => request.socket.destroy());
      return;
    }
    const [status, headers, body] = answer(request, sent);
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answer(request: IncomingMessage, body: Buffer): [number, Record<string, string>, string | Buffer] {
    const url = new URL(request.url ?? '', endpoint);
    requests.push(`${request.method} ${url.pathname}`);
    const failure = failures.shift();
    if (failure) return [failure, {}, '<Error><Code>SlowDown</Code></Error>'];
    if (!isSigned(request, url, body)) return [403, {}, '<Error><Code>SignatureDoesNotMatch</Code></Error>'];
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== 'bucket') return [404, {}, '<Error><Code>NoSuchBucket</Code></Error>'];
    const key = rest.join('/');
    if (key === '') return [200, {}, listing(objects, url.searchParams)];
    const found = objects.get(key);
    if (request.method === 'PUT') objects.set(key, { content: body, storedAt: new Date() });
    if (request.method === 'PUT') return [200, {}, ''];
    if (request.method === 'DELETE') return [objects.delete(key) ? 204 : 404, {}, ''];
    if (!found) return [404, {}, '<Error><Code>NoSuchKey</Code></Error>'];
    const headers = {
      'content-length': String(found.content.length),
      'last-modified': found.storedAt.toUTCString(),
    };
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range) return [200, headers, found.content];
    const part = found.content.subarray(Number(range[1]), Number(range[2]) + 1);
    const contentRange = `bytes ${range[1]}-${range[2]}/${found.content.length}`;
    return [206, { ...headers, 'content-length': String(part.length), 'content-range': contentRange }, part];
  }

  return {
    endpoint,
    objects,
    requests,
    failures,
    target: (path = '/some/prefix', more = '') =>
      `s3://${KEY}:${encodeURIComponent(SECRET)}@bucket${path}?region=eu-x-1&endpoint=${endpoint}${more}`,
  };
}

function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const fields = /Credential=(.+?)\/(.+?), SignedHeaders=(.+?), Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  );
  if (!fields) return false;
  const [, , scope = '', names = '', signature] = fields;
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted();
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name])}\n`);
  const payload = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, payload].join(
    '\n',
  );
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce((from: string | Buffer, part) => hmac(from, part), `AWS4${SECRET}`);
  return (
    payload === sha256(body) &&
    names.includes('host') &&
    hmac(key as Buffer, text).toString('hex') === signature
  );
}

/** Two to a page, with a token that needs escaping. */
function listing(objects: ServedBucket['objects'], query: URLSearchParams): string {
  const after = (query.get('continuation-token') ?? '').replace('&<+ ', '');
  const keys = [...objects.keys()]
    .toSorted()
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
  const entries = keys.slice(0, 2).map((key) => {
    const { content, storedAt } = objects.get(key) ?? { content: '', storedAt: new Date() };
    return `<Contents><Key>${key}</Key><LastModified>${storedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`;
  });
  const token = keys.length > 2 ? `<NextContinuationToken>&amp;&lt;+ ${keys[1]}</NextContinuationToken>` : '';
  return `<ListBucketResult><Name>bucket</Name>${token}${entries.join('\n')}</ListBucketResult>`;
}
