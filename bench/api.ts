import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RequestSpec } from './row.ts';

/** The HTTP API, with which the setup of a row creates its data. */
export interface Api {
  /** The parsed JSON response; throws unless the status is 2xx. */
  send<T = unknown>(spec: RequestSpec): Promise<T>;
  /** The bytes of the response, compressed if the request accepts it. */
  bytesOf(spec: RequestSpec): Promise<Buffer>;
  /** The ETag of the response. */
  etagOf(spec: RequestSpec): Promise<string>;
  /** A new organization, of which the caller is an admin; its id. */
  createOrganization(): Promise<string>;
}

export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

export interface Sample {
  readonly status: number;
  /** Undefined for a response without content. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export function createApi(endpoint: Endpoint): Api {
  const send = async <T>(spec: RequestSpec): Promise<T> => {
    const text = (await fetchOk(endpoint, spec)).body.toString('utf8');
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    send,
    bytesOf: async (spec) => (await fetchOk(endpoint, spec)).body,
    etagOf: async (spec) => (await fetchOk(endpoint, spec)).answer.headers.etag ?? '',
    async createOrganization() {
      const { id } = await send<{ id: string }>({
        method: 'POST',
        path: '/v1/orgs',
        body: { title: 'Measured' },
      });
      return id;
    },
  };
}

/** The properties of a response that the bare server imitates. */
export async function sample(endpoint: Endpoint, spec: RequestSpec, expected?: number): Promise<Sample> {
  const { answer, body } = await fetchOk(endpoint, spec, expected);
  return {
    status: answer.statusCode ?? 200,
    contentType: answer.headers['content-type'],
    body,
  };
}

/** Any 2xx, unless one status is expected. */
export const isExpected = (status: number, expected: number | undefined): boolean =>
  expected === undefined ? status >= 200 && status < 300 : status === expected;

export const headersOf = ({ token }: Endpoint, spec: RequestSpec): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(spec.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...spec.headers,
});

export const bodyOf = (spec: RequestSpec): string | undefined =>
  spec.body === undefined ? undefined : JSON.stringify(spec.body);

/** Not `fetch`, which requests compression and hides the compressed length. */
function fetchOk(
  endpoint: Endpoint,
  spec: RequestSpec,
  expected?: number,
): Promise<{ answer: IncomingMessage; body: Buffer }> {
  const { method = 'GET', path } = spec;
  return new Promise((resolve, reject) => {
    const sent = request(endpoint.url + path, { method, headers: headersOf(endpoint, spec) }, (answer) => {
      buffer(answer).then((body) => {
        if (isExpected(answer.statusCode ?? 0, expected)) return resolve({ answer, body });
        return reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${body.toString('utf8')}`));
      }, reject);
    });
    sent.on('error', reject).end(bodyOf(spec));
  });
}
