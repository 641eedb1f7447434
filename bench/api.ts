import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Ask } from './row.ts';

/** What the setup of a row makes its data with: the HTTP API itself. */
export interface Api {
  /** The JSON that was answered; anything but 2xx is an error. */
  send<T = unknown>(ask: Ask): Promise<T>;
  /** The ETag of what is answered. */
  etagOf(ask: Ask): Promise<string>;
  /** A new organization, whose admin is the caller; its id. */
  createOrganization(): Promise<string>;
}

export interface Place {
  readonly url: string;
  readonly token: string;
}

export interface Sample {
  readonly status: number;
  /** Where there is content. */
  readonly contentType: string | undefined;
  readonly bytes: number;
}

export function createApi(place: Place): Api {
  const send = async <T>(ask: Ask): Promise<T> => {
    const text = (await fetchOk(place, ask)).body.toString('utf8');
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    send,
    etagOf: async (ask) => (await fetchOk(place, ask)).answer.headers.etag ?? '',
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

/** What an answer is like, for the bare server to imitate. */
export async function sample(place: Place, ask: Ask, expected?: number): Promise<Sample> {
  const { answer, body } = await fetchOk(place, ask, expected);
  return {
    status: answer.statusCode ?? 200,
    contentType: answer.headers['content-type'],
    bytes: body.length,
  };
}

/** Any 2xx, unless one status is expected. */
export const isExpected = (status: number, expected: number | undefined): boolean =>
  expected === undefined ? status >= 200 && status < 300 : status === expected;

export const headersOf = ({ token }: Place, ask: Ask): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...ask.headers,
});

export const bodyOf = (ask: Ask): string | undefined =>
  ask.body === undefined ? undefined : JSON.stringify(ask.body);

/** Not `fetch`, which would ask for a compressed answer and then hide how long that was. */
function fetchOk(
  place: Place,
  ask: Ask,
  expected?: number,
): Promise<{ answer: IncomingMessage; body: Buffer }> {
  const { method = 'GET', path } = ask;
  return new Promise((resolve, reject) => {
    const sending = request(place.url + path, { method, headers: headersOf(place, ask) }, (answer) => {
      buffer(answer).then((body) => {
        if (isExpected(answer.statusCode ?? 0, expected)) return resolve({ answer, body });
        return reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${body.toString('utf8')}`));
      }, reject);
    });
    sending.on('error', reject).end(bodyOf(ask));
  });
}
